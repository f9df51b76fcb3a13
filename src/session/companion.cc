#include "session/companion.h"

#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace ringwall::session {

Result<std::string> find_companion(std::string_view name) {
  TRY_ASSIGN(std::string self, file::read_link("/proc/self/exe"));
  std::string folder(path::parent(self));
  for (const char* place : {"/", "/../libexec/ringwall/"}) {
    std::string program = folder + place + std::string(name);
    if (access(program.c_str(), X_OK) == 0) return program;
  }
  return fail(std::string(name) + " is not installed beside " + text::quote(self), "make install");
}

}  // namespace ringwall::session
