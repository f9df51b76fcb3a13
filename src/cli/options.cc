#include "cli/options.h"

#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>

#include "base/layout.h"
#include "base/text.h"
#include "cli/output.h"
#include "policy/fields.h"
#include "policy/values.h"

namespace ringwall::cli {
namespace {

constexpr const char* kOfRun = "of run";
constexpr size_t kOptionColumn = 26;  // where the help of an option begins

// One layout for every command's help, as wide as the screen.
class HelpFormatter : public CLI::FormatterBase {
 public:
  explicit HelpFormatter(std::string usage) : usage_(std::move(usage)) {}

  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode) const override {
    std::string out = app->get_description() + "\n\nUsage: " + usage_ + "\n";
    out += make_rows("Arguments", *app, true) + make_rows("Options", *app, false);
    if (!app->get_footer().empty()) out += "\n" + app->get_footer() + "\n";
    return out;
  }

 private:
  static std::string make_rows(const char* title, const CLI::App& app, bool positional) {
    std::string rows;
    bool takes_those_of_run = false;
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() != positional) continue;
      bool is_of_run = option->get_group() == kOfRun;
      takes_those_of_run |= is_of_run;
      if (!is_of_run) rows += make_row(*option, positional);
    }
    if (takes_those_of_run)
      rows += "  and all that decide how a run is walled in: see ringwall run --help\n";
    return rows.empty() ? "" : std::string("\n") + title + ":\n" + rows;
  }

  static std::string make_row(const CLI::Option& option, bool positional) {
    std::string row = "  " + option.get_name(positional, true);
    if (!positional && option.get_items_expected_max() > 0) row += " " + option.get_type_name();
    size_t width = layout::screen_width(STDOUT_FILENO, 80, 110) - kOptionColumn;
    bool apart = layout::columns(row) + 2 > kOptionColumn;
    row = apart ? row + "\n" : layout::pad(row, kOptionColumn);
    for (const std::string& line : layout::wrap(option.get_description(), width)) {
      row += (apart ? std::string(kOptionColumn, ' ') : "") + line + "\n";
      apart = true;
    }
    return row;
  }

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

bool is_missing_run(const CLI::ParseError& error) {
  return dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
         std::string_view(error.what()).starts_with("RUN ");
}

// CLI11's own sentences speak of types and counts; these say what to write.
std::string explain_error(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& arguments) {
  const std::string said = error.what();
  const std::string name = said.substr(0, said.find(':'));
  const CLI::Option* option = app.get_option_no_throw(name);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && option != nullptr) {
    if (option->count() > 1) return name + " can be given only once";
    return name + " needs a value: " + name + " " + option->get_type_name();
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    for (const std::string& word : app.remaining()) {
      if (word == "--") continue;
      return (word.starts_with('-') ? "unknown option " : "unexpected argument ") +
             text::quote(word);
    }
  }
  if (is_missing_run(error)) return "which run?";
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return said.substr(0, said.find(' ')) + " is missing";
  for (const std::string& word : arguments) {
    const CLI::Option* flag = app.get_option_no_throw(word.substr(0, word.find('=')));
    if (flag != nullptr && flag->get_items_expected_max() == 0 && word.find('=') != word.npos)
      return flag->get_name() + " takes no value";
  }
  return text::quote(said);
}

bool takes_value(const policy::Field& field) {
  return !std::holds_alternative<policy::SwitchOf>(field.member);
}

// "-w,--workspace" is one flag with two names.
bool has_name(const policy::Field& field, std::string_view name) {
  std::string_view flag = field.flag;
  size_t comma = flag.find(',');
  return name == flag.substr(0, comma) || (comma != flag.npos && name == flag.substr(comma + 1));
}

std::vector<bool> find_named(const std::vector<std::string>& arguments) {
  std::span<const policy::Field> fields = policy::fields();
  std::vector<bool> named(fields.size());
  for (size_t at = 0; at < arguments.size(); at++) {
    std::string_view word = arguments[at];
    if (!word.starts_with('-') || word == "--") break;  // here the command begins
    std::string_view name = word.substr(0, word.find('='));
    auto field = std::find_if(fields.begin(), fields.end(),
                              [&](const policy::Field& f) { return has_name(f, name); });
    if (field == fields.end()) return std::vector<bool>(fields.size(), true);
    named[static_cast<size_t>(field - fields.begin())] = true;
    if (takes_value(*field) && name == word) at++;
  }
  return named;
}

// --env NAME=VALUE is --set NAME=VALUE.
const policy::Field& field_for(const policy::Field& field, std::string_view value) {
  if (field.shape != policy::Shape::variable || value.find('=') == value.npos) return field;
  std::span<const policy::Field> fields = policy::fields();
  return *std::find_if(fields.begin(), fields.end(), [](const policy::Field& other) {
    return other.shape == policy::Shape::assignment;
  });
}

}  // namespace

Option& Option::type_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

CommandLine::CommandLine(const std::string& description, const std::string& name,
                         const std::string& usage)
    : parser_(std::make_unique<CLI::App>(description, name)) {
  parser_->formatter(std::make_shared<HelpFormatter>(usage));
  parser_->set_help_flag("-h,--help", "print this help");
}

CommandLine::~CommandLine() = default;

void CommandLine::footer(const std::string& text) { parser_->footer(text); }

Option CommandLine::add_option(const std::string& names, std::string& value,
                               const std::string& help) {
  CLI::Option* option = parser_->add_option(names, value, help);
  if (names.starts_with('-')) texts_.push_back(option);
  return Option(option);
}

Option CommandLine::add_option(const std::string& names, std::optional<std::string>& value,
                               const std::string& help) {
  return Option(parser_->add_option(names, value, help));
}

Option CommandLine::add_option(const std::string& names, std::vector<std::string>& values,
                               const std::string& help) {
  return Option(parser_->add_option(names, values, help));
}

Option CommandLine::add_list(const std::string& names, std::vector<std::string>& values,
                             const std::string& help) {
  return Option(parser_->add_option(names, values, help)
                    ->type_size(1)
                    ->expected(1)
                    ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                    ->allow_extra_args(false));
}

Option CommandLine::add_flag(const std::string& names, bool& value, const std::string& help) {
  return Option(parser_->add_flag(names, value, help));
}

std::optional<int> CommandLine::parse(const std::vector<std::string>& arguments) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants it
  try {
    parser_->parse(std::move(reversed));
    return refuse_empty();
  } catch (const CLI::Success&) {
    fputs(parser_->help().c_str(), stdout);
    return 0;
  } catch (const CLI::ParseError& error) {
    complain(parser_->get_name() + ": " + explain_error(*parser_, error, arguments),
             is_missing_run(error) ? "see: ringwall ls" : suggest_flag(*parser_, arguments));
    return kUsageStatus;
  }
}

// A shell leaves nothing of a variable that is not set: the same as no option at all, but not
// meant.
std::optional<int> CommandLine::refuse_empty() const {
  for (const CLI::Option* option : texts_) {
    if (option->count() == 0 || !option->results().back().empty()) continue;
    complain(parser_->get_name() + ": " + option->get_name() + " is empty",
             "give it a value, or leave it out");
    return kUsageStatus;
  }
  return std::nullopt;
}

bool CommandLine::was_given(const std::string& name) const { return parser_->count(name) > 0; }

bool CommandLine::takes_value(const std::string& name) const {
  const CLI::Option* option = parser_->get_option_no_throw(name);
  return option != nullptr && option->get_items_expected_max() > 0;
}

PolicyFlags::PolicyFlags(CommandLine& line, const std::vector<std::string>& arguments) {
  values_.resize(policy::fields().size());
  options_.resize(policy::fields().size());
  std::vector<bool> named = find_named(arguments);
  for (size_t i = 0; i < named.size(); i++) {
    if (named[i]) add(line.parser(), i);
  }
}

PolicyFlags PolicyFlags::of_run(CommandLine& line) {
  PolicyFlags all(line, {"--help"});
  for (CLI::Option* option : all.options_)
    option->group(kOfRun);
  return all;
}

void PolicyFlags::add(CLI::App& parser, size_t i) {
  const policy::Field& field = policy::fields()[i];
  std::string flag(field.flag);
  const std::string help(field.help);  // CLI11 takes a changeable text for the flag's variable
  if (!takes_value(field)) {
    options_[i] = parser.add_flag(flag, help);
    return;
  }
  options_[i] = parser.add_option(flag, values_[i], help);
  options_[i]->type_name(std::string(field.value))->type_size(1)->expected(1);
  bool list = std::holds_alternative<policy::ListOf>(field.member);
  options_[i]->multi_option_policy(list ? CLI::MultiOptionPolicy::TakeAll
                                        : CLI::MultiOptionPolicy::TakeLast);
  options_[i]->allow_extra_args(false);
}

Result<std::vector<policy::Setting>> PolicyFlags::settings(const std::string& folder,
                                                           const std::string& home) const {
  std::vector<policy::Setting> out;
  std::span<const policy::Field> fields = policy::fields();
  for (size_t i = 0; i < options_.size(); i++) {
    if (options_[i] == nullptr || options_[i]->count() == 0) continue;
    std::string_view flag = fields[i].flag;
    std::string name(flag.substr(flag.find("--")));
    policy::Source source{{policy::Layer::command_line, name}, folder, home};
    auto take = [&](Result<policy::Setting> setting) -> Status {
      if (!setting) {
        setting.error().what.insert(0, name + ": ");
        return std::unexpected(setting.error());
      }
      out.push_back(std::move(*setting));
      return {};
    };
    if (!takes_value(fields[i])) TRY(take(policy::check_switch(fields[i], true, source)));
    for (const std::string& value : values_[i])
      TRY(take(policy::check_text(field_for(fields[i], value), value, source)));
  }
  return out;
}

}  // namespace ringwall::cli
