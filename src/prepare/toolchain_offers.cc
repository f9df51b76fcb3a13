#include "prepare/toolchain_offers.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "base/sha256.h"
#include "base/text.h"
#include "policy/caches.h"

namespace ringwall::prepare {

using policy::Profile;

std::string Offer::digest() const {
  std::string all;
  for (const policy::Setting& setting : settings) {
    all += std::string(setting.field->key) + " " +
           policy::show_value(*setting.field, setting.value) + "\n";
  }
  return sha256(all);
}

std::vector<const Profile*> recognise_toolchains(const std::string& workspace) {
  std::vector<const Profile*> found;
  Fd folder(open(workspace.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder) return found;  // who grants it says what is wrong
  auto is_there = [&](const std::string& name) {
    struct stat facts;
    return fstatat(folder.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0 &&
           !S_ISDIR(facts.st_mode);
  };
  for (const Profile& profile : policy::profiles()) {
    if (profile.kind() != Profile::Kind::toolchain) continue;
    std::vector<std::string> names = profile.words("workspace");
    if (std::any_of(names.begin(), names.end(), is_there)) found.push_back(&profile);
  }
  return found;
}

bool needs_agreement(const policy::Setting& setting) {
  return setting.field->widens && setting.field->key != "environment.set";
}

Offer take_offer(const Profile& profile, policy::PolicyText& text,
                 const std::vector<const policy::Field*>& locked) {
  Offer offer{.profile = &profile};
  auto stays = [&](const policy::Setting& setting) {
    return !needs_agreement(setting) ||
           std::find(locked.begin(), locked.end(), setting.field) != locked.end();
  };
  auto waits = std::stable_partition(text.settings.begin(), text.settings.end(), stays);
  offer.settings.assign(std::make_move_iterator(waits),
                        std::make_move_iterator(text.settings.end()));
  text.settings.erase(waits, text.settings.end());
  return offer;
}

bool brings_anything(const Offer& offer, const std::string& home) {
  auto holds = [&](const std::string& cache) {
    for (const policy::Cache& known : policy::caches()) {
      if (known.name != cache) continue;
      for (const std::string& folder : text::split(known.folders, ' ')) {
        if (file::exists(path::join(home, folder))) return true;
      }
    }
    return false;
  };
  return std::any_of(offer.settings.begin(), offer.settings.end(), [&](const auto& setting) {
    return setting.field->key != "home.caches" || holds(std::get<std::string>(setting.value));
  });
}

std::string names_of(const std::vector<Offer>& offers) {
  std::string names;
  for (size_t i = 0; i < offers.size(); i++) {
    if (i > 0) names += i + 1 == offers.size() ? " and " : ", ";
    names += offers[i].name();
  }
  return names;
}

Status note_answer(const state::Places& places, const std::string& workspace,
                   const std::vector<Offer>& offers, state::Said::Answer answer) {
  TRY_ASSIGN(state::Agreement agreement, state::read_agreement(places, workspace));
  for (const Offer& offer : offers)
    agreement.said[offer.name()] = {answer, offer.digest()};
  return state::write_agreement(places, std::move(agreement));
}

}  // namespace ringwall::prepare
