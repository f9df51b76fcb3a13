#include "cli/command.h"
namespace ringwall::cli {
int cmd_verify(const Invocation&) { return 1; }
int cmd_doctor(const Invocation&) { return 1; }
}  // namespace ringwall::cli
