// The quarantine: takes what a run planted under a protected name away from there, whatever it is
// and whatever is done to it meanwhile, and keeps it for the person if it can.
//
// What matters first is that the name is free again: a store that is full, gone or broken costs the
// thing, never the promise. What is kept stays hostile: who held it open goes on writing to it.
//
// Time is short: a file system may need half a millisecond for a new inode, so items are prepared
// beforehand. The record is written before the move, but not synced to the disk, which would take
// longer than a planted file may lie there: a power cut may leave an item without a record, and it
// is listed as of unknown origin.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "broker/hostile_tree.h"
#include "broker/quarantine_item.h"

namespace ringwall::broker {

struct Origin {
  std::string path;  // absolute; any bytes
  std::string run;
};

struct Reason {
  std::string rule;  // the pattern
  std::string text;  // for the person
};

struct Taken {
  enum class Outcome {
    gone,      // nothing lay there any more
    kept,      // moved into the item
    recorded,  // removed; the item only says what it was
    removed,   // removed, and there is no item
  };
  Outcome outcome = Outcome::gone;
  std::string item;
  Kind kind = Kind::unknown;
  bool swapped = false;  // something else lay there than what was seen first
  std::string why;  // removed, recorded: why it was not kept; kept: what is missing, mostly nothing
};

// A run that plants without end must not fill the person's disk or list.
struct QuarantineLimits {
  size_t items_of_run = 1000;
  size_t items = 10'000;
  // Of one thing, where it has to be copied; the sandbox stands still meanwhile.
  Bounds copied{64 << 20, 10'000};
  // On the disk. What comes when a run has put so much into it is removed, and only noted.
  uint64_t bytes_of_run = uint64_t{4} << 30;
};

class Quarantine {
 public:
  Quarantine(Quarantine&&) = default;
  Quarantine& operator=(Quarantine&&) = delete;
  ~Quarantine();

  // Makes the folder if need be. It must be the caller's own, and where no sandbox sees it.
  static Result<Quarantine> open(const std::string& path, const QuarantineLimits& limits = {});

  // Takes `name` out of the folder `parent`. An error means that it still lies there, or in the
  // same folder under a name that begins with kAsidePrefix.
  Result<Taken> take(int parent, std::string_view name, const Origin& origin, const Reason& reason);

  // Makes folders for the next items. Called when nothing else is to be done; `take` works without
  // it, only slower.
  void prepare();

  size_t taken() const { return taken_; }  // items made by this object

 private:
  Quarantine(Fd store, size_t items, const QuarantineLimits& limits)
      : store_(std::move(store)), items_(items), limits_(limits) {}

  // A folder for the next item. Nobody else removes it as long as its lock is held.
  struct Spare {
    std::string name;
    Fd lock;
  };

  Result<std::string> make_item();
  bool make_folder(const std::string& item);
  Status write_record(const std::string& item, const Record& record) const;
  void drop_item(const std::string& item);
  Result<Taken> settle_moved(const std::string& item, const struct stat& seen, Record record,
                             const Status& recorded);
  void keep_within_bounds(const std::string& item, const struct stat& facts, Taken& taken);
  Result<Taken> copy_aside(int parent, const std::string& aside, const struct stat& seen,
                           const std::string& item, Record record);
  Result<Taken> take_across(int parent, const std::string& name, const struct stat& seen,
                            const std::string& item, const Record& record, OpenedUp& opened);

  Fd store_;
  size_t items_;
  size_t taken_ = 0;
  uint64_t bytes_ = 0;  // on the disk, of what this object has kept
  std::vector<Spare> spares_;
  uint64_t counter_ = 0;  // in the names of items; never goes back
  QuarantineLimits limits_;
};

}  // namespace ringwall::broker
