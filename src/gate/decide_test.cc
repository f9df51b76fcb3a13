#include "gate/decide.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "gate/packs.h"
#include "policy/tool_rules.h"

namespace ringwall::gate {
namespace {

namespace json = boost::json;

policy::Tools tools_of(std::initializer_list<const char*> deny,
                       std::initializer_list<const char*> ask = {},
                       std::initializer_list<const char*> allow = {}) {
  policy::Tools tools;
  for (const char* rule : deny)
    tools.deny.push_back({rule, {policy::Layer::person, "/p.toml", 3}});
  for (const char* rule : ask)
    tools.ask.push_back({rule});
  for (const char* rule : allow)
    tools.allow.push_back({rule});
  return tools;
}

Decision ask_gate(const policy::Tools& tools, const std::string& tool, const json::object& input,
                  bool known = true, Parts parts = Parts::none) {
  auto rules = compile_rules(tools);
  EXPECT_TRUE(rules);
  return decide(*rules, {tool, known, input, "/home/u/app"}, {"/home/u", "/home/u/app"}, parts);
}

Answer answer(const policy::Tools& tools, const std::string& tool, const json::object& input) {
  return ask_gate(tools, tool, input).answer;
}

TEST(Decide, DenyBeforeAskBeforeAllow) {
  policy::Tools all = tools_of({"Bash(make x)"}, {"Bash(make y*)"}, {"Bash(make *)"});
  EXPECT_EQ(answer(all, "Bash", {{"command", "make x"}}), Answer::deny);
  EXPECT_EQ(answer(all, "Bash", {{"command", "make y"}}), Answer::ask);
  EXPECT_EQ(answer(all, "Bash", {{"command", "make z"}}), Answer::allow);
  EXPECT_EQ(answer(all, "Bash", {{"command", "ls"}}), Answer::open);
}

TEST(Decide, SaysWhichRuleAndWhere) {
  Decision decision =
      ask_gate(tools_of({R"x({"rule":"Bash(make x)","reason":"not today","hint":"make y"})x"}),
               "Bash", {{"command", "cd . && make x"}});
  EXPECT_EQ(decision.answer, Answer::deny);
  EXPECT_EQ(decision.rule, "Bash(make x)");
  EXPECT_EQ(decision.origin, "/p.toml:3");
  EXPECT_NE(decision.reason.find("not today"), std::string::npos);
  EXPECT_NE(decision.told.find("make y"), std::string::npos);
  EXPECT_TRUE(decision.parts.empty());
}

TEST(Decide, ListsThePartsToWhomWantsThem) {
  policy::Tools all = tools_of({"Bash(make x)"}, {}, {"Bash(cd *)", "Bash(ls)"});
  Decision decision = ask_gate(all, "Bash", {{"command", "cd . && make x"}}, true, Parts::listed);
  ASSERT_EQ(decision.parts.size(), 2u);
  EXPECT_EQ(decision.parts[0].shown, "cd .");
  EXPECT_EQ(decision.parts[0].answer, Answer::allow);
  EXPECT_EQ(decision.parts[1].answer, Answer::deny);
  for (Parts parts : {Parts::none, Parts::listed})
    EXPECT_EQ(ask_gate(all, "Bash", {{"command", "cd . && ls"}}, true, parts).rule, "Bash(cd *)");
}

TEST(Decide, TellsTheAgentNoMoreThanTheRuleSays) {
  auto told = [](const char* tell) {
    std::string rule =
        std::string(R"x({"rule":"Bash(ls)","reason":"secret","hint":"dir","tell":")x") + tell +
        "\"}";
    return ask_gate(tools_of({rule.c_str()}), "Bash", {{"command", "ls"}}).told;
  };
  EXPECT_NE(told("reason").find("secret"), std::string::npos);
  EXPECT_EQ(told("refusal").find("secret"), std::string::npos);
  EXPECT_EQ(told("refusal").find("dir"), std::string::npos);
  EXPECT_EQ(told("hint").find("secret"), std::string::npos);
  EXPECT_NE(told("hint").find("dir"), std::string::npos);
}

TEST(Decide, FilesOfTools) {
  policy::Tools rules = tools_of({"Read(./secrets/**)", "Edit(./fixed)"}, {}, {"Read(src/**)"});
  EXPECT_EQ(answer(rules, "Read", {{"file_path", "/home/u/app/secrets/a"}}), Answer::deny);
  EXPECT_EQ(answer(rules, "Write", {{"file_path", "/home/u/app/secrets/a"}}), Answer::deny);
  EXPECT_EQ(answer(rules, "Read", {{"file_path", "/home/u/app/fixed"}}), Answer::open);
  EXPECT_EQ(answer(rules, "Edit", {{"file_path", "fixed"}}), Answer::deny);
  EXPECT_EQ(answer(rules, "NotebookEdit", {{"notebook_path", "./fixed"}}), Answer::deny);
  EXPECT_EQ(answer(rules, "Read", {{"file_path", "/home/u/app/src/a"}}), Answer::allow);
  EXPECT_EQ(answer(rules, "Edit", {{"file_path", "/home/u/app/src/a"}}), Answer::open);
  EXPECT_EQ(answer(rules, "Glob", {{"pattern", "secrets/*.txt"}}), Answer::deny);
  EXPECT_EQ(answer(rules, "Grep", {{"pattern", "x"}, {"path", "secrets"}}), Answer::deny);
  EXPECT_EQ(answer(rules, "Grep", {{"pattern", "secrets/x"}}), Answer::open);
  EXPECT_EQ(answer(rules, "Read", {{"file_path", "~/.ssh/id_rsa"}}), Answer::deny);
}

TEST(Decide, LinksAreFollowed) {
  char name[] = "/tmp/decide-XXXXXX";
  std::string top = std::filesystem::canonical(mkdtemp(name));
  std::filesystem::create_directories(top + "/secrets");
  std::filesystem::create_directories(top + "/src");
  ASSERT_EQ(symlink("../secrets", (top + "/src/link").c_str()), 0);
  auto rules = compile_rules(tools_of({"Read(./secrets/**)"}, {}, {"Read(src/**)"}));
  auto read = [&](const std::string& path) {
    ToolCall call{"Read", true, {{"file_path", top + path}}, top};
    return decide(*rules, call, {"/home/u", top}).answer;
  };
  EXPECT_EQ(read("/src/link/x"), Answer::deny);
  EXPECT_EQ(read("/src/x"), Answer::allow);
  std::filesystem::remove_all(top);
}

TEST(Decide, WebAgentsAndServers) {
  policy::Tools rules =
      tools_of({"WebFetch(domain:*.evil.example)", "mcp__shell", "Agent(Danger*)",
                "Bash(dangerouslyDisableSandbox:true)", "mcp__git__push(force:true)"},
               {"WebFetch"}, {"WebFetch(domain:docs.example)", "mcp__github__*"});
  EXPECT_EQ(answer(rules, "WebFetch", {{"url", "https://a.evil.example/x"}}), Answer::deny);
  EXPECT_EQ(answer(rules, "WebFetch", {{"url", "https://u@A.EVIL.example.:443/"}}), Answer::deny);
  EXPECT_EQ(answer(rules, "WebFetch", {{"url", "https://evil.example/"}}), Answer::ask);
  EXPECT_EQ(answer(rules, "mcp__shell__run", {}), Answer::deny);
  EXPECT_EQ(answer(rules, "mcp__shellx__run", {}), Answer::open);
  EXPECT_EQ(answer(rules, "mcp__github__list", {}), Answer::allow);
  // Servers may tell tools apart by letters that rules do not.
  EXPECT_EQ(answer(rules, "mcp__shell__Run", {}), Answer::deny);
  EXPECT_EQ(answer(rules, "mcp__Shell__run", {}), Answer::deny);
  EXPECT_EQ(answer(rules, "mcp__git__Push", {{"force", true}}), Answer::deny);
  EXPECT_EQ(answer(rules, "mcp__GitHub__list", {}), Answer::open);
  EXPECT_EQ(answer(rules, "Agent", {{"subagent_type", "DangerBot"}}), Answer::deny);
  EXPECT_EQ(answer(rules, "Agent", {{"subagent_type", "Explore"}}), Answer::open);
  json::object unwalled{{"command", "ls"}, {"dangerouslyDisableSandbox", true}};
  EXPECT_EQ(answer(rules, "Bash", unwalled), Answer::deny);
  EXPECT_EQ(answer(rules, "Bash", {{"command", "ls"}}), Answer::open);
  EXPECT_EQ(answer(rules, "mcp__git__push", {{"force", true}}), Answer::deny);
  EXPECT_EQ(answer(rules, "mcp__git__push", {{"force", false}}), Answer::open);
}

TEST(Decide, AUrlThatIsNotPlainIsNeverAllowed) {
  policy::Tools rules = tools_of({"WebFetch(domain:evil.example)"}, {},
                                 {"WebFetch(domain:good.example)", "WebFetch(domain:*.jp)"});
  auto fetch = [&](const char* url) { return answer(rules, "WebFetch", {{"url", url}}); };
  EXPECT_EQ(fetch("https://evil.example/"), Answer::deny);
  EXPECT_EQ(fetch("https://good.example/"), Answer::allow);
  EXPECT_EQ(fetch("https://other.example/"), Answer::open);
  for (const char* url :
       {"http:/evil.example", "http:\\\\evil.example", "http://ev%69l.example", "//evil.example",
        "http://ev\u00adil.example", "http://ｅvil.example", "http://good.example\\@evil.example",
        "http://evil.example\\@good.example"})
    EXPECT_EQ(fetch(url), Answer::deny) << url;
  for (const char* url : {"http:/good.example", "http:\\\\good.example", "http://goo%64.example",
                          "http://goo\u00add.example", "http://ｇood.example", "http://例え.jp"})
    EXPECT_EQ(fetch(url), Answer::ask) << url;
}

TEST(Decide, TaskIsTheOldNameOfAgent) {
  policy::Tools rules = tools_of({"Task(planner)"}, {"Task(explore*)"}, {"Task(reader)"});
  EXPECT_EQ(answer(rules, "Agent", {{"subagent_type", "planner"}}), Answer::deny);
  EXPECT_EQ(answer(rules, "Agent", {{"subagent_type", "explorer"}}), Answer::ask);
  EXPECT_EQ(answer(rules, "Agent", {{"subagent_type", "reader"}}), Answer::allow);
  EXPECT_EQ(answer(rules, "Agent", {{"subagent_type", "other"}}), Answer::open);
  EXPECT_EQ(answer(tools_of({"Task"}), "Agent", {{"subagent_type", "any"}}), Answer::deny);
  EXPECT_EQ(answer(tools_of({"Task"}), "TaskList", {}), Answer::open);
}

TEST(Decide, EveryFieldOfAServersToolIsLookedAt) {
  policy::Tools none;
  EXPECT_EQ(answer(none, "mcp__x__run", {{"command", "rm -rf /"}}), Answer::deny);
  json::object deep{{"args", json::array{json::object{{"cmd", "git push --force"}}}}};
  EXPECT_EQ(answer(none, "mcp__x__run", deep), Answer::deny);
  EXPECT_EQ(answer(none, "mcp__x__read", {{"path", "/home/u/.ssh/id_rsa"}}), Answer::deny);
  EXPECT_EQ(answer(none, "mcp__x__read", {{"uri", "file:///home/u/.ssh/id_rsa"}}), Answer::deny);
  EXPECT_EQ(answer(none, "mcp__x__read", {{"path", "/home/u/app/a.c"}}), Answer::open);
}

Answer answer_to_server(const char* input) {
  return answer(tools_of({"Read(./secrets/**)"}), "mcp__x__do", json::parse(input).as_object());
}

TEST(Decide, ArgumentsOfServersAreKnownByNameAndLook) {
  for (const char* denied : {
           R"({"command":["rm","-rf","/"]})",
           R"({"command":["bash","-lc","rm -rf /"]})",
           R"({"commands":["ls","rm -rf /"]})",
           R"({"Command":"rm -rf /"})",
           R"({"shellCommand":"rm -rf /"})",
           R"({"SHELL":"rm -rf /"})",
           R"({"exec":"rm -rf /"})",
           R"({"code":"rm -rf /"})",
           R"({"input":"rm -rf /"})",
           R"({"args":["cat","/etc/shadow"]})",
           R"({"command":"cat","args":["/etc/shadow"]})",
           R"({"command":"git","args":["push","--force"]})",
           R"({"command":"git","args":"push --force"})",
           R"({"program":"git","argv":["push","--force"]})",
           R"({"target":"/etc/shadow"})",
           R"({"repo_path":"/home/u/.ssh"})",
           R"({"dir":"/home/u/.ssh/"})",
           R"({"dir":"secrets/k"})",
           R"({"url":"file:///etc/shadow"})",
           R"({"url":"FILE:/etc/sh%61dow"})",
           R"({"x":"file://localhost/etc/shadow"})",
           R"({"a":{"b":["/etc/shadow"]}})",
           R"({"a":[["~/.ssh/id_rsa"]]})",
           R"({"whatever":"secrets/k"})",
           R"({"sql":"drop database x"})",
       })
    EXPECT_EQ(answer_to_server(denied), Answer::deny) << denied;
}

TEST(Decide, HarmlessArgumentsOfServersStayOpen) {
  for (const char* open : {
           R"({"command":["ls","-l"]})",
           R"({"commands":["ls","make test"]})",
           R"({"command":"git","args":["status"]})",
           R"x({"code":"print(1)\nfor x in y:\n  z(x)"})x",
           R"({"code":"const a = (b) => { return `${b}`; }"})",
           R"({"input":"Don't forget: the user's \"name\" (and | so on"})",
           R"({"title":"~/.bashrc is broken","body":"See /etc/shadow.\nIt is\n~/.ssh/id_rsa"})",
           R"({"owner":"a","repo":"b/c","ref":"refs/heads/main","mime":"text/plain"})",
           R"({"url":"https://example.com/etc/shadow"})",
           R"({"sql":"select * from t where a = 'b'"})",
           R"({"query":"how to drop a stitch","limit":3,"deep":{"on":true,"none":null}})",
           R"({"path":"src/a.c","dir":"src","target":"x86"})",
       })
    EXPECT_EQ(answer_to_server(open), Answer::open) << open;
}

TEST(Decide, MoreArgumentsThanCanBeJudgedAsk) {
  json::array many;
  for (int i = 0; i < 5000; i++)
    many.emplace_back("src/a");
  EXPECT_EQ(answer({}, "mcp__x__do", {{"names", many}}), Answer::ask);
  many.resize(1000);
  EXPECT_EQ(answer({}, "mcp__x__do", {{"names", many}}), Answer::open);
}

TEST(Decide, UnknownToolsAreDeniedUnlessNamed) {
  policy::Tools none;
  EXPECT_EQ(ask_gate(none, "Teleport", {}, false).answer, Answer::deny);
  EXPECT_EQ(ask_gate(tools_of({}, {"Teleport"}), "Teleport", {}, false).answer, Answer::ask);
  EXPECT_EQ(ask_gate(tools_of({}, {}, {"Teleport"}), "Teleport", {}, false).answer, Answer::allow);
  EXPECT_EQ(ask_gate(none, "TodoWrite", {}, true).answer, Answer::open);
}

TEST(Decide, PacksCanBeSwitchedOffAndKeptOn) {
  policy::Tools tools;
  json::object push{{"command", "git push --force"}};
  EXPECT_EQ(answer(tools, "Bash", push), Answer::deny);
  tools.no_packs.push_back({"git-history"});
  EXPECT_EQ(answer(tools, "Bash", push), Answer::open);
  EXPECT_EQ(answer(tools, "Bash", {{"command", "rm -rf /"}}), Answer::deny);
  tools.packs.push_back({"git-history"});
  EXPECT_EQ(answer(tools, "Bash", push), Answer::deny);
}

TEST(Decide, AnAllowDoesNotLiftAPack) {
  EXPECT_EQ(answer(tools_of({}, {}, {"Bash(git *)"}), "Bash", {{"command", "git push -f"}}),
            Answer::deny);
}

// Each would have to be held against every rule.
TEST(Decide, MoreUnknownFilesThanCanBeLookedAtAsk) {
  std::string command = "cat";
  for (int i = 0; i < 60; i++)
    command += " src" + std::to_string(i) + "/a*";
  Decision decision = ask_gate({}, "Bash", {{"command", command}});
  EXPECT_EQ(decision.answer, Answer::ask);
  EXPECT_NE(decision.reason.find("more files"), std::string::npos);
  EXPECT_EQ(answer({}, "Bash", {{"command", "cat src1/a* src2/a*"}}), Answer::open);
}

TEST(Decide, TheSameCallGetsTheSameAnswer) {
  auto rules = compile_rules({});
  ToolCall call{"Bash", true, {{"command", "rm -rf ~"}}, "/home/u/app"};
  for (int i = 0; i < 5; i++)
    EXPECT_EQ(decide(*rules, call, {"/home/u", "/home/u/app"}).answer, Answer::deny);
}

TEST(Packs, AreThoseOfThePolicy) {
  ASSERT_EQ(packs().size(), policy::tool_packs().size());
  for (size_t i = 0; i < packs().size(); i++)
    EXPECT_EQ(packs()[i].name, policy::tool_packs()[i]);
}

TEST(Packs, EveryRowSaysWhyAndWhatInstead) {
  for (const Pack& pack : packs()) {
    for (const PackCommand& row : pack.commands) {
      EXPECT_FALSE(row.reason.empty()) << row.spec;
      EXPECT_FALSE(row.hint.empty()) << row.spec;
      EXPECT_GE(row.answer, Answer::ask) << row.spec;
    }
    for (const PackPath& row : pack.paths)
      EXPECT_FALSE(row.reason.empty() || row.hint.empty()) << row.pattern;
    for (const PackCode& row : pack.code)
      EXPECT_FALSE(row.reason.empty() || row.hint.empty()) << row.needle;
  }
}

}  // namespace
}  // namespace ringwall::gate
