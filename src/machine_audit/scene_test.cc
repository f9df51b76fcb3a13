#include "machine_audit/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "machine_audit/scan.h"

namespace ringwall::machine_audit {
namespace {

MachineFile file_of(Topic topic, FileFormat format, std::string text) {
  MachineFile file;
  file.topic = topic;
  file.format = format;
  file.path = "/home/u/settings";
  file.text = std::move(text);
  read_document(file);
  return file;
}

std::string edited(const MachineFile& file, const Edit& edit) {
  if (!edit) return "none";
  return file.text.substr(0, edit->begin) + edit->text + file.text.substr(edit->end);
}

std::string without_entry(const std::string& text, size_t entry) {
  MachineFile file = file_of(Topic::claude, FileFormat::json, text);
  return edited(file, remove_entry(file, *file.root.find("a"), entry));
}

TEST(MachineEdits, EntriesOfLists) {
  EXPECT_EQ(without_entry(R"({"a": ["x", "y", "z"]})", 0), R"({"a": ["y", "z"]})");
  EXPECT_EQ(without_entry(R"({"a": ["x", "y", "z"]})", 1), R"({"a": ["x", "z"]})");
  EXPECT_EQ(without_entry(R"({"a": ["x", "y", "z"]})", 2), R"({"a": ["x", "y"]})");
  EXPECT_EQ(without_entry(R"({"a": ["x", "y",]})", 1), R"({"a": ["x"]})");
  EXPECT_EQ(without_entry(R"({"a": ["x"]})", 0), R"({"a": []})");
  EXPECT_EQ(without_entry("{\"a\": [\n  \"x\",\n  \"y\"\n]}", 1), "{\"a\": [\n  \"x\"\n]}");
  // A comment beside it may be about it.
  EXPECT_EQ(without_entry("{\"a\": [\"x\", // mine\n \"y\"]}", 0), "none");
  EXPECT_EQ(without_entry("{\"a\": [\"x\", \"y\" /* why */]}", 1), "none");
}

TEST(MachineEdits, MembersAreAddedInTheLayoutThatIsThere) {
  auto added = [](const std::string& text) {
    MachineFile file = file_of(Topic::claude, FileFormat::json, text);
    return edited(file, add_member(file, file.root, "b", "true"));
  };
  EXPECT_EQ(added("{}"), R"({"b": true})");
  EXPECT_EQ(added(R"({"a": 1})"), R"({"b": true, "a": 1})");
  EXPECT_EQ(added("{\n  \"a\": 1\n}"), "{\n  \"b\": true,\n  \"a\": 1\n}");
  EXPECT_EQ(added("{\r\n\t\"a\": 1\r\n}"), "{\r\n\t\"b\": true,\r\n\t\"a\": 1\r\n}");
  EXPECT_EQ(added("\xef\xbb\xbf{\"a\": 1}"), "\xef\xbb\xbf{\"b\": true, \"a\": 1}");
  EXPECT_EQ(added("{ // of mine\n  \"a\": 1\n}"), "none");
}

TEST(MachineEdits, LinesWithAComment) {
  auto removed = [](const std::string& text) {
    MachineFile file = file_of(Topic::packages, FileFormat::lines, text);
    return edited(file, remove_line(file, 2));
  };
  EXPECT_EQ(removed("a=1\nb=2\nc=3\n"), "a=1\nc=3\n");
  EXPECT_EQ(removed("a=1\r\nb=2\r\nc=3"), "a=1\r\nc=3");
  EXPECT_EQ(removed("a=1\nb=\"x # y\"\n"), "a=1\n");
  EXPECT_EQ(removed("a=1\nb=2 # why\n"), "none");
  EXPECT_EQ(removed("a=1\nb=2;why\n"), "none");
}

TEST(MachineEdits, ValuesOfToml) {
  auto set = [](const std::string& text) {
    MachineFile file = file_of(Topic::codex, FileFormat::toml, text);
    const Setting* value = file.root.find_way("s.mode");
    if (value == nullptr) value = file.root.find("mode");
    return edited(file, set_value(file, *value, "mode", "\"safe\""));
  };
  EXPECT_EQ(set("mode = \"x\" # why\n"), "mode = \"safe\" # why\n");
  EXPECT_EQ(set("[s]\n  mode='x'"), "[s]\n  mode=\"safe\"");
  EXPECT_EQ(set("[s]\nmode = true\n"), "[s]\nmode = \"safe\"\n");
  EXPECT_EQ(set("s = { mode = \"x\" }\n"), "none");
  EXPECT_EQ(set("s.mode = \"x\"\n"), "none");
  EXPECT_EQ(set("mode = \"\"\"x\n\"\"\"\n"), "none");
}

TEST(MachineLines, FormsOfSettings) {
  Setting read = read_line_settings(
      "# a comment\nstrict-ssl=false\n//r.example/:_authToken=t\n[global]\nindex-url = "
      "https://a.example/ # why\nregistry \"https://b.example\"\n:ssl_verify_mode: 0\n"
      "yarnPath: .yarn/x.cjs\nexport A='b c'\nalone\n");
  auto value = [&](std::string_view key) {
    const Setting* found = read.find(key);
    return found != nullptr ? found->text + ":" + std::to_string(found->line) : "none";
  };
  EXPECT_EQ(value("strict-ssl"), "false:2");
  EXPECT_EQ(value("//r.example/:_authToken"), "t:3");
  EXPECT_EQ(value("global.index-url"), "https://a.example/:5");
  EXPECT_EQ(value("global.registry"), "https://b.example:6");
  EXPECT_EQ(value("global.:ssl_verify_mode"), "0:7");
  EXPECT_EQ(value("global.yarnPath"), ".yarn/x.cjs:8");
  EXPECT_EQ(value("global.A"), "b c:9");
  EXPECT_EQ(value("global.alone"), ":10");
}

TEST(MachineWords, DownloadsThatRun) {
  for (const char* yes :
       {"curl -s https://a | sh", "wget -qO- a|sudo bash -s", "eval \"$(curl a)\"",
        "echo x | base64 -d | bash", "bash <(curl -s a)", "curl a | /usr/bin/env python3",
        "curl x -o /tmp/a && sh /tmp/a", "curl -fsSLO https://a/i.sh; bash ./i.sh",
        "wget https://a/i.sh && . ./i.sh", "wget -qO f https://a && chmod +x f && ./f",
        "curl https://a > f; sudo bash f", "curl https://a | bash -c '. /dev/stdin'",
        "sh -c 'curl -o f https://a && sh f'", "curl -o f https://a\nchmod +x f\n./f\n",
        "python3 -c \"exec(urlopen('https://a').read())\"",
        "node -e 'fetch(u).then(r=>r.text()).then(t=>eval(t))'"})
    EXPECT_TRUE(runs_a_download(yes)) << yes;
  for (const char* no :
       {"curl -o f a", "cat f | sh", "curl a | shasum", "curl a | jq .",
        "eval \"$(direnv hook bash)\"", "curl a || bashful", "curl -o f https://a && sh g",
        "wget -O - https://a; sh", "sh f", "curl -o /dev/null https://a; ls /dev/null",
        "git fetch; eval $(ssh-agent)", "wget https://a/b.tgz && tar xf b.tgz"})
    EXPECT_FALSE(runs_a_download(no)) << no;
}

TEST(MachineWords, PlainAddresses) {
  for (const char* yes :
       {"http://a.example/", "HTTP://10.0.0.1", "http://127.evil.example@a.example/"})
    EXPECT_TRUE(is_plain_address(yes)) << yes;
  for (const char* no : {"https://a.example", "http://localhost:1/", "http://127.0.0.1:4873",
                         "http://[::1]:80/", "a.example", ""})
    EXPECT_FALSE(is_plain_address(no)) << no;
}

TEST(MachineScene, WideFolders) {
  Scene scene;
  scene.home = "/home/u";
  scene.project = "/home/u/p";
  for (const char* yes : {"/", "//", "//**", "/home", "/home/u", "~", "~/", "~/**", "$HOME", "..",
                          "${HOME}/*", "/home/u/../u"})
    EXPECT_TRUE(scene.is_wide(yes)) << yes;
  for (const char* no : {"/home/u/p", "~/p", "./x", "/srv", "~x", "/home/user"})
    EXPECT_FALSE(scene.is_wide(no)) << no;
}

TEST(MachineCatalogue, NumbersStandOnceAndInOrder) {
  std::set<std::string_view> numbers;
  for (std::span<const audit::Check> table :
       {audit::machine_agent_checks(), audit::machine_host_checks()}) {
    for (const audit::Check& check : table) {
      EXPECT_TRUE(numbers.insert(check.number).second) << check.number;
      EXPECT_TRUE(check.danger.ends_with('.')) << check.number;
      EXPECT_FALSE(check.title.empty() || check.change.empty()) << check.number;
    }
  }
  EXPECT_EQ(numbers.size(), 100u);
  EXPECT_EQ(*numbers.begin(), "RW100");
  EXPECT_EQ(*numbers.rbegin(), "RW199");
}

bool has_number(const Scene& scene, std::string_view number) {
  MachineDesk desk = look_at_machine(scene);
  return std::any_of(desk.entries().begin(), desk.entries().end(),
                     [&](const auto& entry) { return entry.finding.check->number == number; });
}

TEST(MachineScene, ManagedSettingsThatOthersCanAddTo) {
  Scene scene;
  scene.home = "/home/u";
  EXPECT_FALSE(has_number(scene, "RW100"));
  MachineFile file = file_of(Topic::claude, FileFormat::json, R"({"allowManagedHooksOnly": true})");
  file.scope = FileScope::managed;
  scene.documents = {file};
  EXPECT_TRUE(has_number(scene, "RW100"));
  // What one of several files says holds.
  MachineFile second = file_of(Topic::claude, FileFormat::json,
                               R"({"allowManagedPermissionRulesOnly": true,
                                   "allowManagedMcpServersOnly": true,
                                   "disableSideloadFlags": true})");
  second.scope = FileScope::managed;
  scene.documents.push_back(second);
  EXPECT_FALSE(has_number(scene, "RW100"));
}

TEST(MachineScene, WhatCountsMoreIsObeyed) {
  Scene scene;
  scene.home = "/home/u";
  MachineFile person =
      file_of(Topic::claude, FileFormat::json, R"({"sandbox": {"enabled": true}})");
  MachineFile managed =
      file_of(Topic::claude, FileFormat::json, R"({"sandbox": {"enabled": false}})");
  managed.scope = FileScope::managed;
  scene.documents = {person};
  EXPECT_FALSE(has_number(scene, "RW101"));
  scene.documents = {managed, person};
  EXPECT_TRUE(has_number(scene, "RW101"));
}

TEST(MachineScan, WhatTheScannerIsToldComesBack) {
  MachineRequest request{.home = "/home/u", .project = "/home/u/p", .uid = 1};
  MachineFiles files;
  files.in_use = {Topic::claude, Topic::git_hook};
  files.credentials = {".ssh"};
  files.entries = {{&machine_sources()[3], "/home/u/p/x", "/real/x"}};
  auto told = hear_telling(tell_scanner(request, files, true));
  ASSERT_TRUE(told);
  EXPECT_EQ(told->scene.home, "/home/u");
  EXPECT_EQ(told->scene.in_use, files.in_use);
  EXPECT_EQ(told->scene.credentials, files.credentials);
  ASSERT_EQ(told->scene.documents.size(), 1u);
  EXPECT_EQ(told->scene.documents[0].path, "/home/u/p/x");
  EXPECT_EQ(told->places[0], machine_place(0));
  EXPECT_FALSE(hear_telling({"uses", "999"}));
  EXPECT_FALSE(hear_telling({"file", "0"}));
  EXPECT_FALSE(hear_telling({"what", "x"}));
}

}  // namespace
}  // namespace ringwall::machine_audit
