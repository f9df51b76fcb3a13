// What must not be proposed to a person who is shown what a run wanted: places that open more than
// their name says. From Ringwall's own tables (hidden files, protected names, the logins of
// profiles) and one of the home's usual places. Looks at files, changes nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/hidden.h"
#include "files/protected.h"
#include "state/places.h"

namespace ringwall::learn {

// One line of the table of usual places.
struct KnownPlaces {
  std::string_view paths;  // separated by blanks
  std::string_view what;
};
std::span<const KnownPlaces> sensitive_in_home();  // paths below the home
std::span<const KnownPlaces> sensitive_elsewhere();

class SensitivePlaces {
 public:
  static Result<SensitivePlaces> collect(const state::Caller& caller, const state::Places& places);

  // Why the file or folder at this absolute path must not be proposed; empty: nothing is known
  // against it. Judged as it is named, and where it leads.
  std::string why(const std::string& path, bool writes) const;

 private:
  // Relative to the home.
  struct InHome {
    std::string path;
    std::string what;
  };

  SensitivePlaces(const state::Caller& caller, const state::Places& places,
                  files::HiddenNames hidden, files::ProtectedNames protected_names)
      : caller_(caller),
        places_(places),
        hidden_(std::move(hidden)),
        protected_(std::move(protected_names)) {}

  std::string why_at(const std::string& path, bool writes) const;
  std::string why_in_home(const std::string& relative) const;
  std::string why_outside_home(const std::string& path) const;
  std::string why_by_name(const std::string& path) const;
  std::string why_protected(const std::string& path, bool is_folder) const;

  const state::Caller& caller_;
  const state::Places& places_;
  files::HiddenNames hidden_;
  files::ProtectedNames protected_;
  std::vector<InHome> in_home_;
  mutable size_t looked_at_ = 0;
};

}  // namespace ringwall::learn
