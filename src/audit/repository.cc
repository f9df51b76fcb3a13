#include "audit/repository.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "base/text.h"

namespace ringwall::audit {

ScanRequest ask_for_repository(std::string real, std::vector<std::string> only,
                               std::span<char> start_area) {
  return {.task = "repository",
          .run = run_scanner<scan_repository>,
          .arguments = std::move(only),
          .shown = {{std::move(real), kRepositoryInside}},
          .start_area = start_area};
}

std::span<const std::string_view> steering_names() {
  static constexpr std::string_view kNames[] = {"CLAUDE.md",
                                                "CLAUDE.local.md",
                                                "AGENTS.md",
                                                "GEMINI.md",
                                                ".cursorrules",
                                                ".windsurfrules",
                                                ".github/copilot-instructions.md",
                                                "README.md",
                                                ".env",
                                                "package.json",
                                                "package-lock.json",
                                                ".gitmodules",
                                                ".yarnrc.yml",
                                                ".npmrc"};
  return kNames;
}

Result<Report> audit_repository(const std::string& path, std::span<char> start_area) {
  std::unique_ptr<char, decltype(&free)> real(realpath(path.c_str(), nullptr), free);
  if (real == nullptr) return fail_errno("cannot look at " + text::quote(path));
  // Its mounts, devices and processes are no repository, and no look at them would be whole.
  if (real.get() == std::string_view("/"))
    return fail("/ is the whole machine, not a repository", "name a folder in it");
  struct stat facts;
  if (stat(real.get(), &facts) < 0) return fail_errno("cannot look at " + text::quote(path));
  if (!S_ISDIR(facts.st_mode)) return fail(text::quote(path) + " is no folder", "name a folder");
  if (faccessat(AT_FDCWD, real.get(), R_OK | X_OK, AT_EACCESS) < 0)
    return fail_errno("cannot look at " + text::quote(path));
  TRY_ASSIGN(Report report, scan_in_sandbox(ask_for_repository(real.get(), {}, start_area)));
  report.subject = real.get();
  return report;
}

}  // namespace ringwall::audit
