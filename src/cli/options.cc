#include "cli/options.h"

#include <algorithm>

#include "base/text.h"
#include "cli/output.h"
#include "policy/fields.h"
#include "policy/values.h"

namespace ringwall::cli {
namespace {

class UsageFormatter : public CLI::Formatter {
 public:
  explicit UsageFormatter(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: ringwall " + usage_ + "\n";
  }

 private:
  std::string usage_;
};

std::string suggest_flag(const CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames())
      known.push_back("--" + name);
  }
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    std::string flag = argument.substr(0, argument.find('='));
    if (!flag.starts_with("--") || std::find(known.begin(), known.end(), flag) != known.end())
      continue;
    std::string near = text::nearest(flag, known);
    if (!near.empty()) return "did you mean " + near + "?";
  }
  return "see: ringwall " + app.get_name() + " --help";
}

}  // namespace

void set_usage(CLI::App& app, const std::string& usage) {
  auto formatter = std::make_shared<UsageFormatter>(usage.substr(usage.find(' ') + 1));
  formatter->column_width(28);
  app.formatter(formatter);
}

std::optional<int> parse(CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants it
  try {
    app.parse(std::move(reversed));
    return std::nullopt;
  } catch (const CLI::Success&) {
    fputs(app.help().c_str(), stdout);
    return 0;
  } catch (const CLI::ParseError& error) {
    complain(text::quote(app.get_name()) + ": " + error.what(), suggest_flag(app, arguments));
    return kUsageStatus;
  }
}

PolicyFlags::PolicyFlags(CLI::App& app) {
  std::span<const policy::Field> fields = policy::fields();
  values_.resize(fields.size());
  for (size_t i = 0; i < fields.size(); i++) {
    const policy::Field& field = fields[i];
    std::string flag(field.flag);
    const std::string help(field.help);  // CLI11 takes a changeable text for the flag's variable
    if (std::holds_alternative<policy::SwitchOf>(field.member)) {
      options_.push_back(app.add_flag(flag, help));
    } else {
      CLI::Option* option = app.add_option(flag, values_[i], help);
      option->type_name(std::string(field.value))->type_size(1)->expected(1);
      bool list = std::holds_alternative<policy::ListOf>(field.member);
      option->multi_option_policy(list ? CLI::MultiOptionPolicy::TakeAll
                                       : CLI::MultiOptionPolicy::TakeLast);
      option->allow_extra_args(false);
      options_.push_back(option);
    }
  }
}

Status PolicyFlags::apply(policy::Policy& policy, const std::string& folder,
                          const std::string& home) const {
  std::span<const policy::Field> fields = policy::fields();
  for (size_t i = 0; i < fields.size(); i++) {
    if (options_[i]->count() == 0) continue;
    std::string_view flag = fields[i].flag;
    policy::Source source{std::string(flag.substr(flag.find("--"))), folder, home};
    if (std::holds_alternative<policy::SwitchOf>(fields[i].member)) {
      TRY(policy::put_switch(policy, fields[i], true, source));
    }
    for (const std::string& value : values_[i])
      TRY(policy::put_text(policy, fields[i], value, source));
  }
  return {};
}

}  // namespace ringwall::cli
