// The sandbox that reads for an audit. What a repository holds may be written to take over whoever
// parses it: so a process reads it that has no network, no file but those it was shown (read-only),
// nothing it could start, and an end of its time and memory. It can only report, by lines that the
// outside believes no further than their bounds.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/finding.h"
#include "base/fd.h"
#include "base/result.h"
#include "sandbox/launch.h"

namespace ringwall::audit {

// Something of the host that the scanner sees.
struct Shown {
  std::string source;  // a real path, of a file or a folder; a link is not followed
  std::string target;  // where the scanner finds it: "/repository"
};

struct ScanRequest {
  std::string task;                    // its name
  sandbox::RunBuiltin run = nullptr;   // run_scanner of it
  std::vector<std::string> arguments;  // for it
  std::vector<Shown> shown;
  std::span<char> start_area;  // see sandbox::LaunchInputs
  unsigned most_seconds = 30;
};

// A scanner at work. It ends with this.
class RunningScan {
 public:
  static Result<RunningScan> start(const ScanRequest& request);
  RunningScan(RunningScan&& other) noexcept = default;
  RunningScan& operator=(RunningScan&& other) noexcept;
  RunningScan() = default;  // none
  ~RunningScan() { end(); }

  int fd() const { return from_.get(); }  // -1: none, or it has ended
  // Takes what can be read without waiting; true: the report is all there.
  Result<bool> take();
  // Waits for the rest, until `deadline` (monotonic) at most, and ends the scanner.
  Result<Report> finish(int64_t deadline);

 private:
  void end();

  sandbox::Launched sandbox_;
  Fd from_;
  std::string lines_;
  bool is_over_ = false;
};

// The findings as the scanner gave them. What cannot be started or ends early is an error; a report
// that had to be cut says so.
Result<Report> scan_in_sandbox(const ScanRequest& request);

// In the scanner: where findings go.
class Reporter {
 public:
  explicit Reporter(int out) : out_(out) {}
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;
  virtual ~Reporter() = default;

  // Beyond kMostOfOneKind it is only said that there are more.
  virtual void add(Finding finding);
  void add(std::string_view number, std::string path, size_t line, std::string_view seen,
           std::string_view fix = {}) {
    add(make_finding(number, std::move(path), line, seen, fix));
  }
  void count_file() { files_++; }
  void say_incomplete(std::string_view why);

  Status finish();  // the last line, without which a report counts for nothing

 private:
  Status put(std::string_view line);
  Status flush();

  int out_;
  std::string waiting_;
  std::map<const Check*, size_t> findings_;
  uint64_t files_ = 0;
  std::string incomplete_;
};

// What the scanner can be asked to do.
using ScannerTask = Status (*)(const std::vector<std::string>& arguments, Reporter& reporter);

// The process inside, from its walls to the end of its report. Returns its exit status.
int work_as_scanner(ScannerTask task, const std::vector<std::string>& arguments);

// For sandbox::RunBuiltin.
template <ScannerTask task>
int run_scanner(const std::string&, const std::vector<std::string>& arguments) {
  return work_as_scanner(task, arguments);
}

// A task for the test of these walls: says which acts they let through.
Status try_walls(const std::vector<std::string>&, Reporter& reporter);

// What a scanner has written, read without belief.
Result<Report> parse_report(std::string_view lines);

}  // namespace ringwall::audit
