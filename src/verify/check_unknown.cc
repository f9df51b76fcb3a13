// P31. A program that nobody has vetted, brought into the workspace, and the same roads to it three
// times: where every program runs, when each must lead there; in allow mode; and in allow mode with
// a workspace whose vetted programs run, where the exec stop decides.
#include <sys/stat.h>

#include "base/file.h"
#include "base/path.h"
#include "verify/checks.h"
#include "verify/roads.h"

namespace ringwall::verify {
namespace {

constexpr size_t kMostBytes = 16 << 20;
constexpr size_t kLeastRoads = 9;

constexpr std::string_view kRoads = R"(
road direct './brought reached'
road 'another name' 'ln -s brought link && ./link reached'
road 'padded copy' 'cp /bin/echo padded && printf x >>padded && chmod 755 padded && ./padded reached'
road /proc/self/cwd '/proc/self/cwd/brought reached'
road ld.so '$l ./brought reached'
road 'copy of ld.so' 'cp $l loader && chmod 755 loader && ./loader ./brought reached'
road interpreter 'printf "#!%s reached\n" "$PWD/brought" >s && chmod 755 s && ./s'
road /tmp 'cp brought /tmp/b && /tmp/b reached'
road home 'cp brought ~/b && ~/b reached'
road /dev/shm 'cp brought /dev/shm/b && /dev/shm/b reached'
road preload 'LD_PRELOAD=$PWD/lib.so cat /proc/self/maps | grep "r-xp.*/lib.so" && printf reached'
road 'changed in place' 'cat brought >changes && ./changes reached'
)";

Status furnish(const std::string& workspace) {
  TRY_ASSIGN(std::string program, file::read("/bin/echo", kMostBytes));
  TRY_ASSIGN(Fd folder, file::make_dirs(workspace, 0755));
  program += "ringwall verify";  // bytes that no package brought
  TRY(file::replace_at(folder.get(), "brought", program, 0755));
  TRY(file::replace_at(folder.get(), "changes", "nothing yet", 0755));
  for (const char* path :
       {"/lib/x86_64-linux-gnu/libm.so.6", "/lib64/libm.so.6", "/lib/libm.so.6"}) {
    auto library = file::read(path, kMostBytes);
    if (library) return file::replace_at(folder.get(), "lib.so", *library + "ringwall", 0644);
  }
  return {};
}

}  // namespace

Result<Verdict> check_unknown(const CheckInputs& inputs) {
  std::vector<std::vector<std::string>> reached;
  for (const char* way : {"any", "allow", "tree"}) {
    std::string workspace = inputs.folder + "-" + way;
    TRY(furnish(workspace));
    RoadTrip trip{.flags = {"-w", workspace, "--home", inputs.home_name + "-" + way, "--exec"},
                  .roads = kRoads,
                  .arguments = {"sh"}};
    trip.flags.emplace_back(way == std::string_view("any") ? "any" : "allow");
    if (way == std::string_view("tree"))
      trip.flags.insert(trip.flags.end(), {"--exec-tree", workspace});
    TRY_ASSIGN(auto roads, take_roads(trip));
    reached.push_back(std::move(roads));
  }
  for (size_t i : {1u, 2u}) {
    if (reached[i].empty()) continue;
    std::string where = i == 1 ? "" : " in a tree whose programs run";
    return Verdict{Finding::breached,
                   "an unknown program was reached" + where + ": " + reached[i][0]};
  }
  if (reached[0].size() < kLeastRoads)
    return Verdict{Finding::cannot_tell, "only " + std::to_string(reached[0].size()) +
                                             " roads lead there where every program runs"};
  return Verdict{Finding::held, std::to_string(reached[0].size()) + " roads, none led there"};
}

}  // namespace ringwall::verify
