#include "cli/audit_show.h"

#include <fcntl.h>
#include <unistd.h>

#include "audit/report.h"
#include "base/file.h"
#include "base/layout.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/output.h"

namespace ringwall::cli {
namespace {

constexpr size_t kLeastColumns = 80;
constexpr size_t kMostColumns = 110;

Status write_page(const std::string& path, const std::string& page) {
  size_t slash = path.rfind('/');
  std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  if (name.empty())
    return fail(text::quote(path) + " is a folder", "name a file: --html report.html");
  TRY_ASSIGN(Fd place, file::open(folder, O_RDONLY | O_DIRECTORY));
  return file::replace_at(place.get(), name, page, 0644);
}

}  // namespace

void add_audit_options(CommandLine& line, AuditForm& form) {
  line.add_flag("--json", form.json, "as a JSON object");
  line.add_flag("--sarif", form.sarif, "as SARIF 2.1.0, for code scanning");
  line.add_option("--html", form.html, "also write a page to look at in a browser")
      .type_name("FILE");
}

Result<int> show_audit(const audit::Report& report, const AuditForm& form) {
  if (form.json && form.sarif) return fail("--json and --sarif are two forms", "choose one");
  if (form.html) TRY(write_page(*form.html, audit::as_html(report)));
  Style style = style_for(stdout);
  std::string out =
      form.json ? audit::as_json(report)
      : form.sarif
          ? audit::as_sarif(report)
          : audit::as_text(report, layout::screen_width(STDOUT_FILENO, kLeastColumns, kMostColumns),
                           {style.bold, style.dim, style.red, style.yellow, style.plain});
  TRY(file::write_all(STDOUT_FILENO, out));
  return audit::exit_status(report);
}

}  // namespace ringwall::cli
