// ringwall explain: whether a run may read, write, reach or see something, or an agent's tool do
// something, by which rule, and the one command that would change it.
#include <boost/json.hpp>
#include <cstdio>

#include "base/path.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/explain_risk.h"
#include "cli/explain_tool.h"
#include "cli/load_policy.h"
#include "cli/output.h"
#include "explain/explain.h"

namespace ringwall::cli {
namespace {

using explain::Answer;

constexpr const char* kExamples = R"(Examples:
  ringwall explain read ~/.ssh/id_ed25519
  ringwall explain write .git/hooks/pre-commit
  ringwall explain connect registry.npmjs.org:443
  ringwall explain env NODE_OPTIONS
  ringwall explain exec npx
  ringwall explain read ~/data --ro ~/data -- pytest   of this run
  ringwall explain command 'git -C . push --force'     what the gate would say to it, part by part
  ringwall explain tool '{"tool_name":"Read","tool_input":{"file_path":".env"}}'
  ringwall explain risk app-1                          how risky a run that goes on is, and why
  ringwall explain tool --agent codex "$CALL"

Exit status: 0 if it may, 1 if it may not or the person is asked, 125 if the question cannot be answered.)";

constexpr std::string_view kQuestions[] = {"read", "write", "connect", "env",
                                           "exec", "tool",  "command", "risk"};

struct Question {
  std::string kind;
  std::string subject;
  std::string policy_file;
  std::string agent;
  bool json = false;
};

Result<std::string> absolute_path(const std::string& typed, const state::Caller& caller) {
  if (typed.empty()) return fail("which path?");
  if (typed == "~" || typed.starts_with("~/"))
    return path::absolute(typed.size() > 2 ? typed.substr(2) : ".", caller.home);
  TRY_ASSIGN(std::string folder, prepare::read_working_folder());
  // Not normalized: inside, a ".." behind a link may lead elsewhere.
  return typed.starts_with('/') ? typed : path::join(folder, typed);
}

Result<Answer> answer_by_plan(const Question& question, const prepare::RunRequest& request) {
  prepare::Preparation prepared{.request = request};
  TRY(prepare::prepare(prepared));
  if (question.kind == "env") return explain::explain_variable(prepared, question.subject);
  if (question.kind == "exec") {
    TRY_ASSIGN(std::string folder, prepare::read_working_folder());
    return explain::explain_exec(prepared, question.subject, folder);
  }
  TRY_ASSIGN(std::string path, absolute_path(question.subject, request.caller));
  return question.kind == "read" ? explain::explain_read(prepared, path)
                                 : explain::explain_write(prepared, path);
}

class Explainer {
 public:
  Explainer(const Question& question, prepare::RunRequest request, prepare::PolicyLayers layers)
      : question_(question), request_(std::move(request)), layers_(std::move(layers)) {}

  Status ask() {
    TRY_ASSIGN(answer, answer_for(request_));
    change = answer.advice;
    for (size_t i = 0; i < answer.wishes.size() && change.empty(); i++)
      try_wish(answer.wishes[i]);
    if (change.empty()) change = why_not_;
    return {};
  }

  Answer answer;
  std::string change;  // empty: there is none

 private:
  Result<Answer> answer_for(const prepare::RunRequest& request) const {
    if (question_.kind != "connect") return answer_by_plan(question_, request);
    auto told = explain::explain_connect(request.policy, question_.subject, layers_);
    if (!told) told.error().what.insert(0, text::quote(question_.subject) + " ");
    return told;
  }

  // Only what really turns the answer round is told.
  void try_wish(const Answer::Wish& wish) {
    const policy::Field& field = *policy::field_by_key(wish.key);
    std::string flag(field.flag.substr(field.flag.find("--")));
    policy::Source source{{policy::Layer::command_line, flag}, "/", request_.caller.home};
    auto setting = policy::check_text(field, wish.value, source);
    if (!setting) return note(setting.error().text());
    std::vector<policy::PolicyText> texts = layers_.texts;
    texts.push_back({policy::Layer::command_line, "", {*setting}, {}, false});
    policy::Merged merged = policy::merge(texts);
    if (!merged.refusals.empty()) {
      const policy::Diagnostic& why = merged.refusals[0].diagnostic;
      return note(why.what + "; " + why.hint);
    }
    prepare::RunRequest other = request_;
    other.policy = std::move(merged.policy);
    auto then = answer_for(other);
    if (!then) return note(then.error().text());
    bool was = answer.verdict == Answer::Verdict::yes;
    if ((then->verdict == Answer::Verdict::yes) != was)
      change = "ringwall run " + flag + " " +
               text::shell_word(std::get<std::string>(setting->value)) + " …";
  }

  void note(const std::string& why) {
    if (why_not_.empty()) why_not_ = "nothing: " + why;
  }

  const Question& question_;
  prepare::RunRequest request_;
  prepare::PolicyLayers layers_;
  std::string why_not_;
};

void print_json(const Question& question, const Answer& answer, const std::string& change) {
  const policy::Origin& origin = answer.rule.origin;
  boost::json::object out{{"question", question.kind},
                          {"subject", answer.subject},
                          {"answer", explain::name_of(answer.verdict)},
                          {"why", answer.why},
                          {"rule", answer.rule.key},
                          {"layer", policy::name_of(origin.layer)},
                          {"place", origin.place},
                          {"line", origin.line},
                          {"change", change}};
  printf("%s\n", text::harmless_json(boost::json::serialize(out)).c_str());
}

void print_text(const Question& question, const Answer& answer, const std::string& change) {
  Style style = style_for(stdout);
  bool yes = answer.verdict == Answer::Verdict::yes;
  std::string rule = answer.rule.key.empty() ? "built in" : std::string(answer.rule.key);
  const policy::Origin& origin = answer.rule.origin;
  if (!origin.is_default()) rule += " (" + origin.text() + ")";
  auto text_of = [](std::string_view view) { return std::string(view); };
  printf("%s%s%s: %s %s\n", text_of(yes ? style.green : style.red).c_str(),
         text_of(explain::name_of(answer.verdict)).c_str(), text_of(style.plain).c_str(),
         question.kind.c_str(), text::quote(answer.subject).c_str());
  printf("  why     %s\n", text::escape(answer.why).c_str());
  printf("  rule    %s\n", rule.c_str());
  printf("  layer   %s\n", text_of(policy::name_of(origin.layer)).c_str());
  if (!change.empty()) printf("  change  %s\n", change.c_str());
}

int refuse(const Error& error, bool json) {
  tell(events::Refused{"", error.text(), error.hint}, json);
  return kUsageStatus;
}

int explain_tool(const Question& question, const prepare::RunRequest& request,
                 const std::string& workspace) {
  auto folder = prepare::read_working_folder();
  if (!folder) return refuse(folder.error(), question.json);
  auto decision =
      decide_question({question.kind == "command", question.subject, question.agent, *folder},
                      request.policy.tools, {request.caller.home, workspace});
  if (!decision) return refuse(decision.error(), question.json);
  print_decision(*decision, question.json);
  return decision->answer <= gate::Answer::allow ? 0 : 1;
}

int explain(const Question& question, const PolicyFlags& flags, std::vector<std::string> command) {
  prepare::RunRequest request;
  request.register_it = false;
  request.command = command.empty() ? std::vector<std::string>{"sh"} : std::move(command);
  prepare::PolicyLayers layers;
  Status loaded = load_policy(question.policy_file, flags, question.json, request, &layers);
  if (!loaded) return refuse(loaded.error(), question.json);
  if (question.kind == "tool" || question.kind == "command")
    return explain_tool(question, request, layers.workspace);
  Explainer explainer(question, std::move(request), std::move(layers));
  if (Status asked = explainer.ask(); !asked) return refuse(asked.error(), question.json);
  if (question.json) {
    print_json(question, explainer.answer, explainer.change);
  } else {
    print_text(question, explainer.answer, explainer.change);
  }
  return explainer.answer.verdict == Answer::Verdict::yes ? 0 : 1;
}

}  // namespace

int cmd_explain(const Invocation& invocation) {
  CommandLine line(
      "Says whether a run may, by which rule, and what would change it.", "explain",
      "ringwall explain read PATH | write PATH | connect HOST[:PORT] | env NAME | exec PROGRAM | "
      "command LINE | tool JSON | risk RUN");
  line.footer(kExamples);
  Question question;
  line.add_option("QUESTION", question.kind,
                  "read, write, connect, env, exec, command, tool or risk");
  line.add_option(
      "SUBJECT", question.subject,
      "a path, a host, a variable, a program, a shell command, a tool call as JSON, or a run");
  line.add_option("--policy", question.policy_file, "a policy file, as for run").type_name("FILE");
  line.add_option("--agent", question.agent, "for tool: whose names it has; default: claude")
      .type_name("NAME");
  line.add_flag("--json", question.json, "as a JSON object");
  auto end = std::find(invocation.arguments.begin(), invocation.arguments.end(), "--");
  std::vector<std::string> own(invocation.arguments.begin(), end);
  std::vector<std::string> command;
  if (end != invocation.arguments.end()) command.assign(end + 1, invocation.arguments.end());
  PolicyFlags flags = PolicyFlags::of_run(line);
  if (auto status = line.parse(own)) return *status;
  if (question.kind == "risk") {
    auto status = explain_risk(question.subject, question.json);
    return status ? *status : refuse(status.error(), question.json);
  }
  bool known = std::find(std::begin(kQuestions), std::end(kQuestions), question.kind) !=
               std::end(kQuestions);
  if (!known && !question.kind.empty()) {
    std::vector<std::string> kinds(std::begin(kQuestions), std::end(kQuestions));
    return refuse({text::quote(question.kind) + " is nothing that can be explained", 0,
                   "known: " + text::join(kinds, ", ") + "; for a host: connect HOST"},
                  question.json);
  }
  if (!known || question.subject.empty()) {
    return refuse({known ? "explain " + question.kind + " what?" : "explain what?", 0,
                   "try: ringwall explain read PATH; see: ringwall explain --help"},
                  question.json);
  }
  return explain(question, flags, std::move(command));
}

}  // namespace ringwall::cli
