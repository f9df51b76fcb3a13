#include "changes/journal.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <charconv>

#include "base/fd.h"
#include "base/file.h"
#include "base/plain_records.h"
#include "base/text.h"

namespace ringwall::changes {
namespace {

constexpr const char* kPlan = "plan";
constexpr const char* kReport = "report";
constexpr const char* kStaging = "staging";
constexpr std::string_view kPlanHead = "ringwall plan 1";
constexpr std::string_view kReportHead = "ringwall report 1";
constexpr size_t kMost = size_t{4} << 30;

// Fields end with NUL, which no path holds; a checksum comes last.
class Writer {
 public:
  void text(std::string_view field) {
    bytes_ += field;
    bytes_ += '\0';
  }
  template <class Number>
  void number(Number value) {
    char digits[24];
    char* end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    text({digits, end});
  }
  void type(EntryType type) { number(static_cast<unsigned>(type)); }
  void facts(const EntryFacts& facts) {
    type(facts.type);
    if (!facts.exists()) return;
    number(facts.mode);
    for (uint64_t value : {facts.device, facts.inode, facts.links, facts.size, facts.raw_type})
      number(value);
    number(facts.modified);
    number(facts.changed);
  }
  std::string finish() {
    number(records::checksum(bytes_));
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {
    // The checksum is the last field.
    size_t before =
        bytes.size() < 2 ? std::string_view::npos : bytes.substr(0, bytes.size() - 1).rfind('\0');
    if (before == std::string_view::npos || bytes.back() != '\0') return;
    rest_ = bytes.substr(before + 1);
    is_sound_ = true;
    is_sound_ = number<uint64_t>() == records::checksum(bytes.substr(0, before + 1)) && is_sound_;
    rest_ = bytes.substr(0, before + 1);
  }
  std::string text() {
    size_t end = rest_.find('\0');
    if (end == std::string_view::npos) is_sound_ = false;
    if (!is_sound_) return {};
    std::string field(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return field;
  }
  template <class Number>
  Number number() {
    std::string field = text();
    Number value = 0;
    const char* end = field.data() + field.size();
    auto parsed = std::from_chars(field.data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end) is_sound_ = false;
    return value;
  }
  bool flag() { return number<unsigned>() != 0; }
  EntryType type() {
    auto value = number<unsigned>();
    if (value > static_cast<unsigned>(EntryType::other)) is_sound_ = false;
    return is_sound_ ? static_cast<EntryType>(value) : EntryType::none;
  }
  EntryFacts facts() {
    EntryFacts facts;
    facts.type = type();
    if (!facts.exists()) return facts;
    facts.mode = number<uint32_t>();
    for (uint64_t* value :
         {&facts.device, &facts.inode, &facts.links, &facts.size, &facts.raw_type})
      *value = number<uint64_t>();
    facts.modified = number<int64_t>();
    facts.changed = number<int64_t>();
    return facts;
  }
  bool is_sound() const { return is_sound_; }
  bool is_at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool is_sound_ = false;
};

Status sync_folder(int folder) {
  Fd own(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!own || fsync(own.get()) < 0) return fail_errno("cannot sync the journal");
  return {};
}

Status write_synced(int journal, const char* name, const std::string& bytes) {
  std::string aside = std::string(name) + ".new";
  Fd file(
      openat(journal, aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return fail_errno("cannot write the journal");
  TRY(file::write_all(file.get(), bytes));
  if (fsync(file.get()) < 0 || renameat(journal, aside.c_str(), journal, name) < 0)
    return fail_errno("cannot write the journal");
  return sync_folder(journal);
}

Result<std::optional<std::string>> read_if_there(int journal, const char* name) {
  auto file = file::open_beneath(journal, name, O_RDONLY | O_NOFOLLOW);
  if (!file && file.error().err == ENOENT) return std::nullopt;
  if (!file) return std::unexpected(file.error());
  TRY_ASSIGN(std::string bytes, file::read_all(file->get(), kMost));
  return bytes;
}

}  // namespace

std::string encode(const Plan& plan) {
  Writer out;
  out.text(kPlanHead);
  out.number(plan.device);
  out.number(plan.inode);
  out.text(plan.staging);
  out.number(unsigned{plan.keeps_replaced});
  out.number(unsigned{plan.leaves_out_conflicts});
  out.number(plan.steps.size());
  for (const PlannedStep& step : plan.steps) {
    out.text(step.path);
    out.type(step.wanted);
    out.number(step.mode);
    out.number(step.modified);
    out.number(unsigned{step.is_passage});
    out.number(step.staged);
    out.facts(step.expected);
  }
  return out.finish();
}

Result<Plan> parse_plan(std::string_view text) {
  Reader in(text);
  Plan plan;
  bool is_plan = in.text() == kPlanHead;
  plan.device = in.number<uint64_t>();
  plan.inode = in.number<uint64_t>();
  plan.staging = in.text();
  plan.keeps_replaced = in.flag();
  plan.leaves_out_conflicts = in.flag();
  size_t count = in.number<size_t>();
  for (size_t i = 0; is_plan && in.is_sound() && i < count; i++) {
    PlannedStep step;
    step.path = in.text();
    step.wanted = in.type();
    step.mode = in.number<uint32_t>();
    step.modified = in.number<int64_t>();
    step.is_passage = in.flag();
    step.staged = in.number<uint64_t>();
    step.expected = in.facts();
    plan.steps.push_back(std::move(step));
  }
  if (!is_plan || !in.is_sound() || !in.is_at_end()) return fail("the journal's plan is damaged");
  return plan;
}

std::string encode(const Report& report) {
  Writer out;
  out.text(kReportHead);
  out.number(report.size());
  for (const StepReport& step : report) {
    out.text(step.path);
    out.number(static_cast<unsigned>(step.outcome));
    out.type(step.wanted);
    out.number(step.inode);
    out.facts(step.before);
    out.text(step.kept);
    out.text(step.why);
  }
  return out.finish();
}

Result<Report> parse_report(std::string_view text) {
  Reader in(text);
  Report report;
  bool is_report = in.text() == kReportHead;
  size_t count = in.number<size_t>();
  for (size_t i = 0; is_report && in.is_sound() && i < count; i++) {
    StepReport step;
    step.path = in.text();
    auto outcome = in.number<unsigned>();
    if (outcome > static_cast<unsigned>(Outcome::failed)) is_report = false;
    step.outcome = static_cast<Outcome>(outcome);
    step.wanted = in.type();
    step.inode = in.number<uint64_t>();
    step.before = in.facts();
    step.kept = in.text();
    step.why = in.text();
    report.push_back(std::move(step));
  }
  if (!is_report || !in.is_sound() || !in.is_at_end())
    return fail("the journal's report is damaged");
  return report;
}

Status write_plan(int journal, const Plan& plan) {
  return write_synced(journal, kPlan, encode(plan));
}

Result<std::optional<Plan>> read_plan(int journal) {
  TRY_ASSIGN(auto text, read_if_there(journal, kPlan));
  if (!text) return std::nullopt;
  TRY_ASSIGN(Plan plan, parse_plan(*text));
  return plan;
}

Status write_report(int journal, const Report& report) {
  return write_synced(journal, kReport, encode(report));
}

Result<std::optional<Report>> find_report(int journal) {
  TRY_ASSIGN(auto text, read_if_there(journal, kReport));
  if (!text) return std::nullopt;
  TRY_ASSIGN(Report report, parse_report(*text));
  return report;
}

Status remove_plan(int journal) {
  if (unlinkat(journal, kPlan, 0) < 0 && errno != ENOENT)
    return fail_errno("cannot change the journal");
  return {};
}

Status write_staging_name(int journal, const std::string& name) {
  return write_synced(journal, kStaging, name);
}

Result<std::string> read_staging_name(int journal) {
  TRY_ASSIGN(auto text, read_if_there(journal, kStaging));
  return text.value_or("");
}

}  // namespace ringwall::changes
