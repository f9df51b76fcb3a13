#include "policy/import_srt.h"

#include "policy/import_sandbox.h"

namespace ringwall::policy {

Imported import_srt(std::string_view json, const ImportSource& source) {
  SettingsFile file(json, source.file);
  if (file.has_mistakes()) return {"", file.mistakes()};
  ImportDraft draft("srt", source);
  ImportPaths paths(draft, source);
  // Its relative paths begin where it is started, which is the workspace here.
  PathRules rules{"", "", source.home};
  Section top(file);
  draft.remark(
      "srt lets everything be read but for denyRead. Here the home is not there: what a program "
      "misses of it goes into files.read.",
      "filesystem.denyRead");
  import_filesystem(top.section("filesystem"), rules, draft, paths);
  import_network(top.section("network"), draft);
  import_credentials(top.section("credentials"), rules, draft, paths);
  import_switches(top, draft);
  remark_rest(top, draft);
  paths.finish();
  if (file.has_mistakes()) return {"", file.mistakes()};
  return {draft.toml(), {}};
}

}  // namespace ringwall::policy
