// Which toolchains a workspace is made for, and what their profiles would bring. A repository
// chooses them by the files that it holds, so what gives a run more waits for the person's word.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "policy/profiles.h"
#include "state/agreements.h"

namespace ringwall::prepare {

// What one profile would give, if the person agreed.
struct Offer {
  const policy::Profile* profile;
  std::vector<policy::Setting> settings;
  std::optional<state::Said::Answer> said = std::nullopt;

  std::string name() const { return std::string(profile->name); }
  std::string digest() const;
};

// By files at the top of the workspace, which a profile names in its line "# workspace: ".
std::vector<const policy::Profile*> recognise_toolchains(const std::string& workspace);

// Network, files and caches do. Variables do not: those of our profiles only switch off what a
// tool would do by itself.
bool needs_agreement(const policy::Setting& setting);

// Takes out of a profile's text what waits for the person's word. Fields that the organisation has
// locked stay: the merge leaves them out, so there is nothing to ask about.
Offer take_offer(const policy::Profile& profile, policy::PolicyText& text,
                 const std::vector<const policy::Field*>& locked = {});

// False if all that it offers is caches that the real home does not hold: nothing to ask about.
bool brings_anything(const Offer& offer, const std::string& home);

// "node and rust"
std::string names_of(const std::vector<Offer>& offers);

// Writes down what was said to all of these.
Status note_answer(const state::Places& places, const std::string& workspace,
                   const std::vector<Offer>& offers, state::Said::Answer answer);

}  // namespace ringwall::prepare
