// Puts a list of wanted states into a tree that others use meanwhile, as one act that can be
// interrupted at any point: each path holds the old or the new state, never half of one, and what
// was replaced or deleted is kept until the caller drops it.
//
//   stage   every new inode is made complete, on the tree's own filesystem but out of sight
//   plan    is written and synced, with the numbers of these inodes: from here on it can be resumed
//   commit  one rename each: two names are exchanged, and then it is looked at what came out; if
//           that is not what was expected, it is exchanged back: a conflict
//   report  says of each path what happened, and where the content lies that was there before
//
// All of it lies in a journal folder of the caller, which nobody else may write:
//
//   staged/N   the new inode of step N, after its commit the old one
//   plan       while it is going on, or interrupted
//   report     when it is done; then staged/ has become
//   old/N      what was replaced or deleted, by the `kept` of the report
//
// If the journal lies on another filesystem than the tree, staged/ is a hidden folder at the tree's
// top as long as it takes, and old/ is copied.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "changes/attributes.h"
#include "changes/entry.h"

namespace ringwall::changes {

// What shall lie at a path, and from where it is taken.
struct Step {
  std::string path;                      // relative to the tree, any bytes but NUL
  EntryType wanted = EntryType::none;    // none: nothing shall be there; never `other`
  uint32_t mode = 0;                     // of a file, fifo or folder; setuid and setgid are dropped
  int64_t modified = 0;                  // nanoseconds
  EntryFacts expected;                   // what lies there now
  int source_folder = -1;                // the source of a file's bytes, and of a link's text
  std::string source;                    // relative to that
  std::string target;                    // text of a link that has no source
  std::optional<Attributes> attributes;  // without: those of the source, if there is one
  // The source's inode may become the tree's own, by one more name for it; it is not changed but
  // for its mode, its time and overlayfs's marks, and the caller removes its name afterwards.
  bool may_share = false;
  // The index of a step of the same file: this one becomes another name of that.
  std::optional<size_t> same_file_as;
};

enum class Outcome : uint8_t {
  done,
  untouched,  // put back, or never begun
  conflict,   // something else lies there than was expected; it was left alone
  failed,     // see `why`
};

struct StepReport {
  std::string path;
  Outcome outcome = Outcome::untouched;
  EntryType wanted = EntryType::none;
  uint64_t inode =
      0;              // that lies there now, of a file, link, fifo or new folder that was put there
  EntryFacts before;  // what lay there
  std::string kept;   // name in old/ of what lay there; empty if nothing of it is kept
  std::string why;    // a few words, of a conflict or failure

  bool operator==(const StepReport&) const = default;
};
using Report = std::vector<StepReport>;  // sorted by path

bool is_whole(const Report& report);  // every step is done

struct TransactionOptions {
  bool keeps_replaced = true;
  // A conflict leaves its path out, and the rest is done; else all is put back.
  bool leaves_out_conflicts = false;
  // For tests: called before each act that changes something, with a word for it; an errno that it
  // gives is taken for the kernel's.
  std::function<int(std::string_view act)> before_act = {};
};

// `journal` is an empty folder. After an error look_at_journal tells more: nothing in it, and the
// tree is as it was; begun, and it waits for resume; reported, and resume completes it.
Result<Report> put_in_place(int tree, int journal, const std::vector<Step>& steps,
                            const TransactionOptions& options = {});

enum class JournalState : uint8_t {
  empty,
  staging,   // the tree is as it was; `forget` removes what is left
  begun,     // there is a plan to resume
  reported,  // all is done but what the caller does afterwards
};
Result<JournalState> look_at_journal(int journal);

// Goes on with what was begun; of one that is done, only gives the report.
Result<Report> resume(int tree, int journal, const TransactionOptions& options = {});

Result<Report> read_report(int journal);

// Removes all that lies in the journal, and what of it lies in the tree. Not of a begun one.
// `tree` may be -1 if it is gone.
Status forget(int tree, int journal);

}  // namespace ringwall::changes
