// Answers to "may it?", read from the plan of a run and from nothing else, so that they are what
// the run will find.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "prepare/policy_layers.h"
#include "prepare/prepare.h"

namespace ringwall::explain {

struct Answer {
  enum class Verdict { yes, no, hidden, protected_file, asked };
  Verdict verdict = Verdict::no;
  std::string subject;  // where the name leads inside
  std::string why;
  policy::Rule rule;  // what decided; no key: built in

  // What may turn the answer round, the best first. Whether it does is for the asker to try.
  struct Wish {
    std::string_view key;
    std::string value;
  };
  std::vector<Wish> wishes;
  std::string advice;  // where no flag is the way
};
std::string_view name_of(Answer::Verdict verdict);

// How to take back what was said there.
std::string removal_of(const policy::Origin& origin);

Answer explain_read(const prepare::Preparation& prepared, const std::string& path);
Answer explain_write(const prepare::Preparation& prepared, const std::string& path);
Answer explain_variable(const prepare::Preparation& prepared, const std::string& name);

// A name on the caller's PATH, or a path.
Answer explain_exec(const prepare::Preparation& prepared, const std::string& subject,
                    const std::string& working_folder);

// Of a file that is a denied program: it can neither be started nor read.
std::optional<Answer> explain_taken(const prepare::Preparation& prepared, const std::string& path);

// True for programs that run whatever they read.
bool is_interpreter(std::string_view name);
// Names of those on a system's folders of programs that a plan leaves there.
std::set<std::string> interpreters_left(const prepare::ExecPlan& plan);

// Programs that stay and do the same as a denied name under one of their own: "busybox wget".
std::vector<std::string> stand_ins_left(const prepare::ExecPlan& plan, const std::string& name);

// "HOST" or "HOST:PORT"; an error says what is wrong with it. Nothing is looked up. `layers`: for
// what they offer.
Result<Answer> explain_connect(const policy::Policy& policy, const std::string& host,
                               const prepare::PolicyLayers& layers);

}  // namespace ringwall::explain
