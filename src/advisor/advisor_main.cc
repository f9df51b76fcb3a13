// ringwall-advisor: asks a model about one tool call and prints what it thinks of it. A program of
// its own: what speaks TLS to the world, and reads what comes from there, is in no process that
// holds a sandbox.
//
// Standard input is one JSON object {"url", "model", "key", "milliseconds", "tool", "input",
// "folder", "person"}, standard output one line: "open", "ask" or "deny", a blank and the reason.
// An error is a line on standard error and status 1.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdio>

#include "advisor/http_post.h"
#include "base/file.h"
#include "base/strict_json.h"
#include "base/text.h"
#include "gate/advice.h"

namespace ringwall::advisor {
namespace {

constexpr size_t kMostInput = 1 << 20;
constexpr int64_t kMostMilliseconds = 120'000;
constexpr unsigned kOk = 200;

struct Task {
  std::string url;
  std::string model;
  std::string key;
  int64_t milliseconds = 0;
  gate::AdviceQuestion question;
};

Result<std::string> text_of(const boost::json::object& object, std::string_view name) {
  const boost::json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) return fail("no text " + std::string(name));
  return std::string(value->get_string());
}

Result<int64_t> milliseconds_of(const boost::json::object& object) {
  const boost::json::value* time = object.if_contains("milliseconds");
  bool is_time = time != nullptr && time->is_int64() && time->get_int64() > 0 &&
                 time->get_int64() <= kMostMilliseconds;
  if (!is_time) return fail("no number milliseconds");
  return time->get_int64();
}

Result<Task> read_task() {
  TRY_ASSIGN(std::string text, file::read_all(0, kMostInput));
  TRY_ASSIGN(boost::json::object object, strict_json::parse_object(text));
  Task task;
  TRY_ASSIGN(task.url, text_of(object, "url"));
  TRY_ASSIGN(task.model, text_of(object, "model"));
  TRY_ASSIGN(task.key, text_of(object, "key"));
  TRY_ASSIGN(task.milliseconds, milliseconds_of(object));
  TRY_ASSIGN(task.question.tool, text_of(object, "tool"));
  TRY_ASSIGN(task.question.input, text_of(object, "input"));
  TRY_ASSIGN(task.question.folder, text_of(object, "folder"));
  const boost::json::value* person = object.if_contains("person");
  if (person == nullptr || !person->is_array()) return fail("no list person");
  for (const boost::json::value& message : person->get_array()) {
    if (message.is_string()) task.question.person.emplace_back(message.get_string());
  }
  return task;
}

std::string_view word_of(gate::Answer answer) {
  if (answer == gate::Answer::deny) return "deny";
  return answer == gate::Answer::ask ? "ask" : "open";
}

Status ask() {
  TRY_ASSIGN(Task task, read_task());
  // A name that nobody resolves holds up a thread that cannot be ended.
  alarm(static_cast<unsigned>(task.milliseconds / 1000 + 2));
  TRY_ASSIGN(gate::ApiShape shape, gate::api_shape_of(task.url));
  gate::ModelRequest request =
      gate::make_advice_request(shape, task.model, task.key, task.question);
  TRY_ASSIGN(HttpAnswer answer,
             http_post({task.url, request.headers, request.body, task.milliseconds}));
  if (answer.status != kOk)
    return fail("the advisor's server answered with status " + std::to_string(answer.status));
  TRY_ASSIGN(gate::Advice advice, gate::read_advice(shape, answer.body));
  return file::write_all(
      1, std::string(word_of(advice.answer)) + " " + text::escape(advice.reason) + "\n");
}

}  // namespace
}  // namespace ringwall::advisor

int main() {
  // It holds the key: nobody of the same user looks into it, and no file of its memory is left.
  rlimit none{};
  if (prctl(PR_SET_DUMPABLE, 0) < 0 || setrlimit(RLIMIT_CORE, &none) < 0) return 1;
  ringwall::Status asked = ringwall::advisor::ask();
  if (!asked) fprintf(stderr, "%s\n", asked.error().text().c_str());
  fflush(stderr);
  _exit(asked ? 0 : 1);  // without waiting for threads
}
