#include "policy/fingerprint.h"

#include "base/sha256.h"
#include "policy/fields.h"

namespace ringwall::policy {

std::string fingerprint(const Policy& policy) {
  Policy copy = policy;  // the table's members are for writing too
  std::string text;
  auto add = [&](const Field& field, const std::string& value) {
    // With its length, so that no value can pass for two.
    text += std::string(field.key) + " " + std::to_string(value.size()) + " " + value + "\n";
  };
  for (const Field& field : fields()) {
    if (const auto* single = std::get_if<TextOf>(&field.member)) {
      if (!(*single)(copy).value.empty()) add(field, (*single)(copy).value);
    } else if (const auto* list = std::get_if<ListOf>(&field.member)) {
      for (const Text& item : (*list)(copy))
        add(field, item.value);
    } else if (const auto* on = std::get_if<SwitchOf>(&field.member)) {
      if ((*on)(copy).on) add(field, "true");
    } else if (const auto* number = std::get_if<NumberOf>(&field.member)) {
      const Number& found = number->of(copy);
      if (found.value) add(field, std::to_string(*found.value));
    }
  }
  return sha256(text);
}

}  // namespace ringwall::policy
