#include "session/remote_lines.h"

#include "base/text.h"

namespace ringwall::session {

events::Withheld describe_remote(const broker::BrokerNotice& notice) {
  std::string name = text::quote(notice.rule), address = text::quote(notice.path);
  std::string place = text::quote(notice.text);
  switch (static_cast<broker::RemoteKind>(notice.value)) {
    case broker::RemoteKind::of_submodule:
      return {"the run has git fetch the submodule " + name + " from " + address,
              "have it as .gitmodules says: git submodule sync " + name};
    // Not refused: the run may lead the submodule there by its address in the config as well, which
    // is told too, and git itself writes others than .gitmodules where those are relative.
    case broker::RemoteKind::of_module:
      return {"the run made " + place + " with the git remote " + name + ": " + address +
                  "; git submodule update takes it for that of the submodule",
              "look where it leads; without that folder git fetches the submodule anew"};
    case broker::RemoteKind::of_new_one:
      return {
          "the run made the git repository " + place + " with the remote " + name + ": " + address,
          "look before you push there: git -C " + place + " remote -v"};
    case broker::RemoteKind::added:
      break;
  }
  return {"the run added the git remote " + name + ": " + address,
          "remove it: git remote remove " + name};
}

events::Withheld describe_more_remotes(size_t count) {
  return {"the run gave git " + std::to_string(count) + " more addresses",
          "look where it fetches from and pushes to: git remote -v"};
}

}  // namespace ringwall::session
