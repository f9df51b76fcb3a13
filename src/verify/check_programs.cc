// P30. A program under many names in a read-only folder and in the workspace; the same roads to it
// twice: with nothing denied, when each must lead there, and denied, when none may.
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "verify/checks.h"
#include "verify/roads.h"

namespace ringwall::verify {
namespace {

constexpr const char* kName = "ringwall-denied-program";
constexpr size_t kMostBytes = 16 << 20;

// $0 is the read-only folder, $1 the program's name.
constexpr std::string_view kRoads = R"(
k=$0; n=$1; d="$k/$n"
road direct '"$d" reached'
road 'hard link' '"$k/alias" reached'
road copy '"$k/deep/copy" reached'
road link '"$k/link" reached'
road 'by PATH' 'PATH=$k:$PATH; $n reached'
road /proc/self/root '/proc/self/root"$d" reached'
road ld.so '$l "$d" reached'
road 'ld.so, no x bit' '$l "$k/data" reached'
road wrapper '"$k/wrapper" reached'
road 'copied inside' 'cp "$d" mine && chmod 755 mine && ./mine reached'
road 'padded copy' 'cp "$d" padded && printf x >>padded && chmod 755 padded && ./padded reached'
road 'link made inside' 'ln -s "$d" linked && ./linked reached'
road interpreter 'printf "#!%s reached\n" "$d" >s && chmod 755 s && ./s'
road read 'cat "$d" >/dev/null && printf reached'
road workspace './brought reached'
road 'workspace, renamed' 'mv brought moved && ./moved reached'
road 'workspace, linked' 'ln twin hard && ./hard reached'
road 'workspace, ld.so' '$l ./twin reached'
road 'workspace, copied' 'cp twin taken && ./taken reached'
)";

Status put(const std::string& folder, const char* name, std::string_view bytes, mode_t mode) {
  TRY_ASSIGN(Fd place, file::make_dirs(path::parent(path::join(folder, name)), 0755));
  return file::replace_at(place.get(), std::string(path::basename(name)), bytes, mode);
}

Status furnish(const std::string& kit, const std::string& workspace) {
  TRY_ASSIGN(std::string program, file::read("/bin/echo", kMostBytes));
  // Other bytes than those of the host's own, which must go on to work.
  program += "ringwall verify";
  TRY(put(kit, kName, program, 0755));
  TRY(put(kit, "deep/copy", program, 0755));
  TRY(put(kit, "data", program, 0644));
  std::string target = path::join(kit, kName);
  TRY(put(kit, "wrapper", "#!/bin/sh\nexec " + target + " \"$@\"\n", 0755));
  bool linked = link(target.c_str(), path::join(kit, "alias").c_str()) == 0 &&
                symlink(kName, path::join(kit, "link").c_str()) == 0;
  if (!linked) return fail_errno("cannot make links");
  TRY(put(workspace, "brought", program, 0755));
  return put(workspace, "twin", program, 0755);
}

}  // namespace

Result<Verdict> check_programs(const CheckInputs& inputs) {
  constexpr size_t kLeastRoads = 17;
  std::vector<std::vector<std::string>> reached;
  for (bool denied : {false, true}) {
    std::string around = inputs.folder + (denied ? "-denied" : "-open");
    std::string kit = path::join(around, "kit"), workspace = path::join(around, "work");
    TRY(furnish(kit, workspace));
    RoadTrip trip{.flags = {"-w", workspace, "--ro", kit, "--home", inputs.home_name},
                  .roads = kRoads,
                  .arguments = {kit, kName}};
    if (denied) trip.flags.insert(trip.flags.end(), {"--deny-program", kName});
    TRY_ASSIGN(auto roads, take_roads(trip));
    reached.push_back(std::move(roads));
  }
  if (!reached[1].empty())
    return Verdict{Finding::breached, "a denied program was reached: " + reached[1][0]};
  if (reached[0].size() < kLeastRoads)
    return Verdict{Finding::cannot_tell,
                   "only " + std::to_string(reached[0].size()) + " roads lead there undenied"};
  return Verdict{Finding::held, std::to_string(reached[0].size()) + " roads, none led there"};
}

}  // namespace ringwall::verify
