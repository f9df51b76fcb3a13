#include "state/companion.h"

#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace ringwall::state {

std::vector<std::string> companion_places(const std::string& self, std::string_view name) {
  std::string folder(path::parent(self));
  return {path::join(folder, name),
          path::normalize(folder + "/../libexec/ringwall/" + std::string(name))};
}

Result<std::string> find_companion(std::string_view name) {
  TRY_ASSIGN(std::string self, file::read_link("/proc/self/exe"));
  for (const std::string& program : companion_places(self, name)) {
    if (access(program.c_str(), X_OK) == 0) return program;
  }
  return fail(std::string(name) + " is not installed beside " + text::quote(self), "make install");
}

}  // namespace ringwall::state
