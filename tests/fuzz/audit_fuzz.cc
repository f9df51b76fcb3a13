// Fuzz target: what the audit's scanner reads, and what it says. The first byte chooses the reader;
// every check gets the rest as a file that it is for. What is reported must come back as it was.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "audit/checks.h"
#include "audit/repository_subjects.h"
#include "audit/scanner.h"
#include "audit/zip_reader.h"
#include "base/text.h"

using namespace ringwall;
using namespace ringwall::audit;

namespace {

class Checker : public Reporter {
 public:
  Checker() : Reporter(-1) {}
  using Reporter::add;
  void add(Finding finding) override {
    auto came = from_line(to_line(finding));
    if (!came || came->path != finding.path || came->check != finding.check) abort();
    if (came->seen != finding.seen) abort();  // escaped where it is shown, and only there
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  Checker checker;
  size_t choice = data[0];
  auto subjects = repository_subjects();
  if (choice < subjects.size()) {
    // Some checks go by the name: each has its turn.
    auto patterns = text::split_in_place(subjects[choice].patterns, ' ');
    std::string path(patterns[bytes.size() % patterns.size()]);
    auto beside = [&](std::string_view) { return std::string(bytes); };
    subjects[choice].check({path, bytes, beside}, checker);
    return 0;
  }
  check_git_config({".git/config", bytes}, checker);
  check_git_file({"a/.git", bytes}, checker);
  if (bytes.find('\0') != std::string_view::npos) return 0;  // no name has it
  check_name(std::string(bytes), false, checker);
  check_link("a/b", bytes, false, checker);
  (void)parse_report(bytes);
  return 0;
}
