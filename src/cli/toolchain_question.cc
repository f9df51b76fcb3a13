#include "cli/toolchain_question.h"

#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/path.h"
#include "base/text.h"
#include "cli/output.h"
#include "prepare/grants.h"

namespace ringwall::cli {
namespace {

using prepare::Offer;
using state::Said;

void print_offers(const std::vector<Offer>& offers, FILE* out) {
  for (const Offer& offer : offers) {
    std::string_view key;
    for (const policy::Setting& setting : offer.settings) {
      if (setting.field->key != key) {
        fprintf(out, "%s  %-7s %s", key.empty() ? "" : "\n",
                key.empty() ? offer.name().c_str() : "", std::string(setting.field->key).c_str());
        key = setting.field->key;
      }
      fprintf(out, " %s", policy::show_value(*setting.field, setting.value).c_str());
    }
    fprintf(out, "\n");
  }
}

// A question in the background would stop the job, and one without a reader would never end.
bool can_ask() {
  return isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0 &&
         tcgetpgrp(STDIN_FILENO) == getpgrp();
}

// One line and not more: what is typed behind it is the command's. Nothing at the end of the input.
std::string read_line() {
  char line[64];
  ssize_t got = read(STDIN_FILENO, line, sizeof line);
  return got > 0 ? std::string(text::trim({line, static_cast<size_t>(got)})) : "";
}

// Nothing: not this time.
std::optional<Said::Answer> ask(const prepare::PolicyLayers& layers,
                                const std::vector<Offer>& offers) {
  fprintf(stderr, "%s looks like %s. If you agree, every run in it also gets:\n",
          text::quote(layers.workspace).c_str(), prepare::names_of(offers).c_str());
  print_offers(offers, stderr);
  tcflush(STDIN_FILENO, TCIFLUSH);  // what was typed before the question is no answer to it
  fprintf(stderr, "Agree? [y/N/never] ");
  fflush(stderr);
  std::string line = read_line();
  if (line == "y" || line == "Y" || line == "yes") return Said::Answer::yes;
  if (line == "never") return Said::Answer::never;
  return std::nullopt;
}

Result<prepare::PolicyLayers> layers_of(const std::string& workspace, const state::Caller& caller,
                                        const state::Places& places) {
  prepare::LayerRequest request{.caller = caller, .places = places, .working_folder = workspace};
  const policy::Field& field = *policy::field_by_key("files.workspace");
  policy::Source source{{policy::Layer::command_line, "--workspace"}, workspace, caller.home};
  TRY_ASSIGN(policy::Setting setting, policy::check_text(field, workspace, source));
  request.flags.push_back(std::move(setting));
  return prepare::load_layers(request);
}

}  // namespace

Result<bool> settle_offers(const prepare::PolicyLayers& layers, const state::Places& places,
                           bool json) {
  std::vector<Offer> open = layers.offers;
  std::erase_if(open, [](const Offer& offer) { return offer.said == Said::Answer::never; });
  // Inside a run there is nobody to ask, and what is written down is gone at its end.
  if (open.empty() || getenv("RINGWALL_RUN") != nullptr) return false;
  if (!json && can_ask()) {
    auto answer = ask(layers, open);
    if (!answer) return false;
    TRY(prepare::note_answer(places, layers.workspace, open, *answer));
    return *answer == Said::Answer::yes;
  }
  std::erase_if(open, [](const Offer& offer) { return offer.said == Said::Answer::hinted; });
  if (open.empty()) return false;
  tell(events::Withheld{"this workspace looks like " + prepare::names_of(open) +
                            ": no network and no caches for that until you agree",
                        "ringwall trust --workspace " + text::quote(layers.workspace)},
       json);
  TRY(prepare::note_answer(places, layers.workspace, open, Said::Answer::hinted));
  return false;
}

Result<int> agree_to_workspace(const std::string& typed, bool yes, const state::Caller& caller,
                               const state::Places& places) {
  TRY_ASSIGN(std::string folder, prepare::read_working_folder());
  TRY_ASSIGN(prepare::PolicyLayers layers,
             layers_of(path::absolute(typed, folder), caller, places));
  std::string shown = text::quote(layers.workspace);
  if (layers.offers.empty()) {
    printf("%s: there is nothing to agree to; see: ringwall trust --list\n", shown.c_str());
    return 0;
  }
  std::optional<Said::Answer> answer = Said::Answer::yes;
  if (yes) {
    printf("%s looks like %s. Every run in it also gets:\n", shown.c_str(),
           prepare::names_of(layers.offers).c_str());
    print_offers(layers.offers, stdout);
  } else {
    if (!can_ask())
      return fail("there is no terminal to ask on",
                  "if you mean it: ringwall trust --yes --workspace " + text::quote(typed));
    answer = ask(layers, layers.offers);
  }
  if (!answer) {
    printf("Nothing is agreed to.\n");
    return 1;
  }
  TRY(prepare::note_answer(places, layers.workspace, layers.offers, *answer));
  if (*answer == Said::Answer::never) return 1;
  printf("Agreed. Take it back: ringwall trust --revoke %s\n", shown.c_str());
  return 0;
}

}  // namespace ringwall::cli
