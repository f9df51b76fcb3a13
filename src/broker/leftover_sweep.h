// Looks through the trees of a run that was killed, and takes away what it may have planted: all
// that lies under a protected name, was not there at its start, and can run something outside.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "broker/broker_protocol.h"
#include "broker/quarantine.h"
#include "broker/unswept.h"
#include "files/hidden.h"
#include "files/link_judge.h"
#include "files/protected.h"

namespace ringwall::broker {

struct Swept {
  std::string path, rule, why;
  std::string item;  // empty: it could not be kept
};

struct Leftovers {
  std::vector<Swept> swept;
  std::vector<BrokerNotice> remotes;  // of repositories that the run made
};

// An error means that something planted may still lie there.
Result<Leftovers> sweep_leftovers(const GuardList& list, const files::ProtectedNames& names,
                                  const files::HiddenNames& hidden, files::LinkRules links,
                                  Quarantine& quarantine);

}  // namespace ringwall::broker
