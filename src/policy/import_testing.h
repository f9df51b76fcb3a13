// For the tests of imports: what Ringwall's own loader makes of the policy that was written.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "policy/fields.h"
#include "policy/import_draft.h"
#include "policy/load.h"
#include "policy/merge.h"

namespace ringwall::policy {

using Texts = std::vector<std::string>;

class ImportResult {
 public:
  explicit ImportResult(Imported imported) : imported_(std::move(imported)) {
    if (!imported_.mistakes.empty()) {
      EXPECT_EQ(imported_.toml, "");
      return;
    }
    LoadedText loaded = load_text(imported_.toml, Layer::person, "/p/policy.toml", "/home/u");
    for (const Diagnostic& found : loaded.diagnostics)
      ADD_FAILURE() << found.place << ": " << found.what << "\n" << imported_.toml;
    Merged merged = merge({&loaded.text, 1});
    EXPECT_TRUE(merged.refusals.empty());
    policy_ = std::move(merged.policy);
  }

  Texts values(std::string_view key) {
    Texts texts;
    for (const Text& text : std::get<ListOf>(field_by_key(key)->member)(policy_))
      texts.push_back(text.value);
    return texts;
  }
  bool writes(std::string_view text) const {
    return imported_.toml.find(text) != std::string::npos;
  }
  // In the comments before the first section.
  bool says(std::string_view text) const {
    std::string comments = imported_.toml.substr(0, imported_.toml.find("\n["));
    for (size_t at = 0; (at = comments.find("\n# ", at)) != std::string::npos; at++) {
      if (comments[at + 3] != ' ') comments.replace(at, 3, " ");  // a broken line
    }
    return comments.find(text) != std::string::npos;
  }
  const std::string& toml() const { return imported_.toml; }
  std::string mistakes() const {
    std::string lines;
    for (const Diagnostic& mistake : imported_.mistakes)
      lines += mistake.place + ": " + mistake.what + "\n";
    return lines;
  }

 private:
  Imported imported_;
  Policy policy_;
};

}  // namespace ringwall::policy
