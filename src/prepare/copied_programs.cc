#include "prepare/copied_programs.h"

#include <algorithm>
#include <optional>

#include "base/path.h"
#include "base/sha256.h"

namespace ringwall::prepare {
namespace {

using identity::Taken;
using Kind = policy::ProgramRule::Kind;

class CopyJudge {
 public:
  explicit CopyJudge(const ExecPlan& plan) : plan_(plan) {}

  std::optional<Taken> judge(const sandbox::MadeFile& copy) const {
    if (copy.content.empty()) return std::nullopt;
    Digest digest = digest_of(copy.content);
    if (auto rule = rule_of(digest))
      return taken(copy, Taken::Reason::content, *rule, digest, "holds the same bytes");
    for (const identity::RuleEntry& entry : plan_.wanted.deny) {
      bool is_it = entry.rule.kind == Kind::name && (copy.mode & 0111) != 0 &&
                   entry.rule.text == path::basename(path_of(copy));
      if (is_it) return taken(copy, Taken::Reason::name, entry.text, digest, "bears that name");
    }
    std::string target = target_of(copy);
    if (target.empty()) return std::nullopt;
    auto content = plan_.search->content_of_path(target);
    auto rule = content.digest ? rule_of(*content.digest) : std::nullopt;
    if (!rule) return std::nullopt;
    return taken(copy, Taken::Reason::wrapper, *rule, digest, "does nothing but start " + target);
  }

 private:
  static Digest digest_of(const std::string& bytes) {
    Sha256 hash;
    hash.add(bytes.data(), bytes.size());
    return hash.finish();
  }

  std::optional<std::string> rule_of(const Digest& digest) const {
    auto found = plan_.rules().denied.find(digest);
    return found == plan_.rules().denied.end() ? std::nullopt : std::optional(found->second);
  }

  // What a wrapper script would start from its place in the home.
  std::string target_of(const sandbox::MadeFile& copy) const {
    std::string wraps = identity::wrapped_by(copy.content);
    if (wraps.empty() || wraps.starts_with('/')) return wraps;
    if (wraps.find('/') != wraps.npos) return path::join(path::parent(path_of(copy)), wraps);
    std::vector<std::string> found = plan_.search->found_by_path(wraps);
    return found.empty() ? "" : found[0];
  }

  // Its tree is added by the caller.
  Taken taken(const sandbox::MadeFile& copy, Taken::Reason reason, const std::string& rule,
              Digest digest, std::string why) const {
    Taken out{.program = {.tree = plan_.trees.size(), .path = path_of(copy)},
              .reason = reason,
              .digest = digest,
              .rule = rule,
              .why = std::move(why)};
    for (const identity::RuleEntry& entry : plan_.wanted.deny) {
      if (entry.text == rule) out.origin = entry.origin;
    }
    return out;
  }

  const ExecPlan& plan_;
};

}  // namespace

void find_denied_copies(ExecPlan& plan, const std::vector<sandbox::MadeFile>& copies) {
  if (!plan.is_on() || plan.wanted.deny.empty()) return;
  for (const sandbox::MadeFile& copy : copies) {
    auto found = CopyJudge(plan).judge(copy);
    if (!found) continue;
    plan.trees.push_back(
        {.source = path_of(copy), .target = path_of(copy), .writable = true, .is_copy = true});
    plan.found.taken.push_back(std::move(*found));
  }
}

}  // namespace ringwall::prepare
