#include "install/divert.h"

#include "base/file.h"
#include "base/text.h"
#include "processes/outside_program.h"

namespace ringwall::install {
namespace {

constexpr int kPatience = 60'000;

Result<std::string> run(std::vector<std::string> command) {
  return processes::run_outside(
      {std::move(command),
       {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8"},
       kPatience},
      "");
}

}  // namespace

bool is_owned_by_a_package(const std::string& path) {
  if (!file::exists("/var/lib/dpkg/status")) return false;
  // It knows names as the package has them: those in /bin may be listed as such.
  return run({"dpkg-query", "--search", path}).has_value();
}

Status divert(const std::string& path, const std::string& to) {
  auto done = run({"dpkg-divert", "--local", "--rename", "--divert", to, "--add", path});
  if (!done)
    return fail(
        "cannot tell dpkg that " + text::quote(path) + " lies elsewhere: " + done.error().text(),
        "try it by hand: dpkg-divert --local --rename --divert " + text::quote(to) + " --add " +
            text::quote(path));
  return {};
}

Status end_diversion(const std::string& path) {
  auto done = run({"dpkg-divert", "--local", "--rename", "--remove", path});
  if (!done)
    return fail("cannot end the diversion of " + text::quote(path) + ": " + done.error().text(),
                "try it by hand: dpkg-divert --local --rename --remove " + text::quote(path));
  return {};
}

}  // namespace ringwall::install
