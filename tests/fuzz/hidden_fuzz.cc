// Fuzz target: what is found in files, and how names are matched. The first byte chooses which.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "files/hidden.h"
#include "files/hidden_content.h"
#include "files/protected.h"
#include "files/protected_content.h"

using namespace ringwall::files;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  static const std::vector<std::string> kNone;
  static const HiddenNames kHidden = *HiddenNames::compile(kNone, kNone);
  static const ProtectedNames kProtected = *ProtectedNames::compile(kNone, kNone);
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  static constexpr std::string_view kNames[] = {"a.pem",
                                                "a.key",
                                                ".npmrc",
                                                ".netrc",
                                                "auth.json",
                                                "settings.xml",
                                                ".docker/config.json",
                                                "kubeconfig",
                                                "x.jwk",
                                                "a-0123456789ab.json"};
  size_t choice = data[0] % 15;
  if (choice < std::size(kNames)) {
    kHidden.judge_content(kNames[choice], text);
    return 0;
  }
  // What is judged by its content: one that may stay does so with a line of words before it.
  constexpr size_t kFirstJudged = 12;
  if (choice >= kFirstJudged) {
    auto judge = choice == kFirstJudged       ? judge_env
                 : choice == kFirstJudged + 1 ? judge_tool_versions
                                              : judge_pnpm_workspace;
    bool stays = judge(text).empty();
    bool has_mark = text.starts_with("\xEF\xBB\xBF");
    if (!has_mark && stays != judge("# words\n" + text).empty()) abort();
    return 0;
  }
  // Whatever matches must pass the quick question first.
  std::string_view last = last_name(text);
  bool quick = kProtected.may_match(last);
  if (!quick &&
      (kProtected.match(text, choice == 10).has_value() || kProtected.match_link(text).has_value()))
    abort();
  if (kHidden.judge_name(text) == HiddenNames::Verdict::hide && kHidden.name_reason(text).empty())
    abort();
  std::vector<std::string> pattern = {text};
  if (auto own = ProtectedNames::compile(pattern, kNone)) {
    own->match(text, true);
    own->match_link(text);
  }
  if (auto own = ProtectedNames::compile(kNone, pattern)) own->match(text, false);
  if (auto own = HiddenNames::compile(pattern, kNone)) own->judge_name(text);
  return 0;
}
