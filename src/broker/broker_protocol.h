// Between the supervisor and the broker: whole messages of fixed layout. What the broker says holds
// names that the agent chose: they are shown, never used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ringwall::broker {

struct BrokerOrder {
  enum class Type : uint32_t {
    frozen = 1,      // everything inside stands
    renewed,         // what was `replaced` is covered again
    goes_on,         // the person has let it go on
    sweep,           // the sandbox is gone: look at everything once more, then say `swept`
    try_acts,        // try what the walls forbid
    sockets_masked,  // one was the host's, and is out of reach now where it lay
    sockets_judged,  // those that were asked for; after the former, if it is said
  };
  Type type;
};

// What the address was written into.
enum class RemoteKind : int32_t {
  added,         // a repository of the person's
  of_submodule,  // the same, as where a submodule of it is fetched from
  of_new_one,    // a repository that the run made
  of_module,     // one that git submodule takes for that of a submodule
};

struct BrokerNotice {
  enum class Type : uint32_t {
    watches = 1,  // every folder is watched; value: how many
    unwatched,    // value: errno; the folders from here on cannot be watched
    freeze,       // asks to stop everything inside
    thaw,         // what lay there is gone
    planted,      // path, rule, text (why), item
    replaced,     // path; value: 1 if it is a hidden one. Asks to cover what lies there now
    saved,        // path: a protected one was replaced, and nobody was seen who has touched it
    stays,        // path, rule, text: why it could not be taken away
    unseen,       // text: something in the trees cannot be looked at
    deleted,      // more files than it may. Asks to pause everything, if it is asked before `thaw`
    persists,     // it goes on planting: the run should end
    restless,     // not everything inside stands: the run should end
    leads_out,    // path, text: a link that stays, and where it leads
    other_name,   // path: a branch of the start, text: the ref that it is another name of
    replaces,     // path: a name in a git folder, by which git shows other commits
    staged,       // path: an index, text: protected files in it, value: 1 if not compared
    remote,       // rule: its name, path: the address that the run gave it, value: a RemoteKind,
                  // text: of one that is not the person's, where it lies
    swept,
    act,  // text, value: errno
    acts_done,
    socket,  // path, and a descriptor of it; value: how many follow. Asks whose they are
  };
  // Of files that were there before the run.
  struct Deleted {
    uint64_t files = 0;
    uint64_t all = 0;  // that there were
    uint32_t is_share = 0;
  };
  Type type;
  int32_t value = 0;
  Deleted deletions = {};
  char path[4096] = {};
  char rule[128] = {};
  char text[256] = {};
  char item[64] = {};
};

BrokerNotice notice_of(BrokerNotice::Type type, std::string_view path, std::string_view text,
                       int32_t value = 0);
BrokerNotice remote_notice(std::string_view name, std::string_view address, RemoteKind kind);

// Check size, type and the ends of texts.
Result<BrokerOrder> parse_broker_order(std::string_view bytes);
Result<BrokerNotice> parse_broker_notice(std::string_view bytes);

}  // namespace ringwall::broker
