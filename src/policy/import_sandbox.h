// What Claude Code's "sandbox" settings and sandbox-runtime's settings file have in common: the
// sections "filesystem", "network" and "credentials".
#pragma once

#include "policy/import_paths.h"
#include "policy/settings_file.h"

namespace ringwall::policy {

void import_filesystem(Section filesystem, const PathRules& rules, ImportDraft& draft,
                       ImportPaths& paths);
void import_network(Section network, ImportDraft& draft);
void import_credentials(Section credentials, const PathRules& rules, ImportDraft& draft,
                        ImportPaths& paths);
// Keys at the top of both.
void import_switches(Section& sandbox, ImportDraft& draft);

// A host of the lists of allowed or denied ones.
void import_host(std::string_view key, const std::string& host, const std::string& from,
                 ImportDraft& draft);

// What nobody asked for.
void remark_rest(const Section& section, ImportDraft& draft);

}  // namespace ringwall::policy
