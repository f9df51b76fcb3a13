// The rules of merging, for every field of the table and each layer against each other.
#include "policy/merge.h"

#include <gtest/gtest.h>

namespace ringwall::policy {
namespace {

constexpr Layer kLayers[] = {Layer::organisation, Layer::profile, Layer::person, Layer::workspace,
                             Layer::command_line};

// Two values that are allowed, and how a workspace's file is judged. "first" stands in an earlier
// layer where there is one.
struct Row {
  const char* key;
  const char* first;
  const char* less;        // may come from the workspace after `first`; empty: nothing may
  const char* more;        // may not
  bool less_alone = true;  // and `less` may be said where nobody else said anything
};

constexpr Row kRows[] = {
    {"run.name", "one", "", "two"},
    {"run.profiles", "codex", "", "claude"},
    {"run.no_profile", "false", "", "true"},
    {"walls.strict", "false", "true", ""},
    {"walls.no_off", "false", "true", ""},
    {"files.workspace", "/w", "", "/v"},
    {"files.read", "/a", "", "/b"},
    {"files.write", "/a", "", "/b"},
    {"files.protect", "a.rc", "b.rc", ""},
    {"files.unprotect", ".vscode/", "", ".idea/"},
    {"files.hide", "a.sql", "b.sql", ""},
    {"files.show", "a.sql", "", "b.sql"},
    {"files.review", "false", "true", ""},
    {"files.apart", "a", "", "b"},
    {"audit.off", "true", "false", "", false},
    {"undo.off", "true", "false", "", false},
    {"undo.wait", "30s", "", "20s"},
    {"undo.size", "3G", "", "2G"},
    {"undo.kept", "2G", "", "1G"},
    {"undo.age", "3h", "", "2h"},
    {"home.name", "one", "", "two"},
    {"home.fresh", "false", "true", ""},
    {"home.keep", ".a", "", ".b"},
    {"home.caches", "npm", "", "pip"},
    {"home.login", "a:.a", "", "a:.b"},
    {"home.copy", ".a", "", ".b"},
    {"home.forget", ".a", "", ".b"},
    {"home.credentials", ".a", "", ".b"},
    {"home.copy_login", "true", "false", "", false},
    {"network.allow", "a.example.com", "", "b.example.com"},
    {"network.deny", "a.example.com", "b.example.com", ""},
    {"network.off", "false", "true", ""},
    {"network.private", "a.example.com", "", "b.example.com"},
    {"network.reach_host", "5432", "", "6379"},
    {"network.publish", "8080", "", "8080:80"},
    {"network.login_callback", "true", "false", "", false},
    {"network.upstream", "http://a.corp:3128", "", "http://b.corp:3128"},
    {"network.upstream_login", "/a", "", "/b"},
    {"network.upload_limit", "2G", "1G", "none"},
    {"network.upload_total", "2G", "1G", "none"},
    {"network.wildcard_names", "200", "100", "201"},
    {"network.ask", "true", "false", "", false},
    {"network.ask_time", "30s", "", "20s"},
    {"environment.pass", "A", "", "B"},
    {"environment.set", "A=1", "", "A=2"},
    {"git.hooks", "true", "false", "", false},
    {"git.push", "true", "false", "", false},
    {"git.ssh_key", "/a", "", "/b"},
    {"terminal.clipboard", "true", "false", "", false},
    {"terminal.detach_keys", "ctrl-a", "", "ctrl-b"},
    {"exec.mode", "deny", "allow", "any"},
    {"exec.deny", "npx", "wget", ""},
    {"exec.allow", "git", "", "npx"},
    {"exec.deny_later", "false", "true", ""},
    {"exec.trees", "/a", "", "/b"},
    {"exec.guard", "tracepoints", "lsm", "none"},
    {"tools.deny", "Bash(rm *)", "Bash(dd *)", ""},
    {"tools.ask", "Bash(rm *)", "Bash(dd *)", ""},
    {"tools.allow", "Bash(ls *)", "", "Bash(make *)"},
    {"tools.packs", "privilege", "publishing", ""},
    {"tools.no_packs", "privilege", "", "publishing"},
    {"tools.mcp_servers", "fs=npx fs", "", "git=uvx git"},
    {"tools.advisor.url", "https://a.example/v1/messages", "", "https://b.example/v1/messages"},
    {"tools.advisor.model", "one", "", "two"},
    {"tools.advisor.key", "env:A", "", "env:B"},
    {"tools.advisor.time", "8s", "", "5s"},
    {"risk.intent", "0.5", "", "0.4"},
    {"risk.boundary", "0.5", "", "0.4"},
    {"risk.stability", "0.5", "", "0.4"},
    {"risk.exposure", "0.5", "", "0.4"},
    {"risk.caution", "0.3", "0.2", "none"},
    {"risk.restricted", "0.5", "0.4", "none"},
    {"risk.isolated", "0.7", "0.6", "none"},
    {"risk.killed", "0.9", "0.8", "none"},
    {"risk.at_caution", "freeze", "cut-network", ""},
    {"risk.at_restricted", "freeze", "cut-network", ""},
    {"risk.at_isolated", "freeze", "kill", ""},
    {"record.required", "false", "true", ""},
    {"record.size", "20M", "", "10M"},
    {"record.kept", "20M", "", "10M"},
    {"limits.processes", "200", "100", "201"},
    {"limits.open_files", "200", "100", "201"},
    {"limits.file_size", "2G", "1G", "none"},
    {"limits.tmp_size", "2G", "1G", "3G"},
    {"limits.tmp_files", "200", "100", "201"},
    {"limits.home_size", "2G", "1G", "none"},
    {"limits.workspace_size", "2G", "1G", "none"},
    {"limits.time", "2h", "1h", "none"},
    {"limits.cpu", "2", "1.5", "none"},
    {"limits.memory", "2G", "1G", "none"},
    {"limits.io", "20M", "10M", "none"},
    {"limits.deleted_files", "20", "10", "none"},
    {"limits.deleted_share", "0.15", "0.1", "none"},
    {"limits.recording", "20M", "10M", "none"},
};

const Row* row_of(const Field& field) {
  for (const Row& row : kRows) {
    if (row.key == field.key) return &row;
  }
  return nullptr;
}

Setting setting(const Field& field, std::string_view value, Layer layer) {
  Source source{{layer, "/p.toml", 1, 1}, "/", "/home/u"};
  if (std::holds_alternative<SwitchOf>(field.member))
    return *check_switch(field, value == "true", source);
  auto checked = check_text(field, value, source);
  EXPECT_TRUE(checked) << checked.error().what;
  return *checked;
}

PolicyText text(Layer layer, const Field& field, std::string_view value) {
  PolicyText out{.layer = layer, .file = "/p.toml"};
  if (!value.empty()) out.settings.push_back(setting(field, value, layer));
  out.only_narrows = layer == Layer::workspace;
  return out;
}

// Every value of the field in a policy, with the layer it came from.
std::vector<std::pair<std::string, Layer>> values(Policy& policy, const Field& field) {
  if (const auto* on = std::get_if<SwitchOf>(&field.member))
    return {{(*on)(policy).on ? "true" : "false", (*on)(policy).origin.layer}};
  if (const auto* number = std::get_if<NumberOf>(&field.member)) {
    const Number& now = number->of(policy);
    return {{now.value ? show_value(field, *now.value) : "", now.origin.layer}};
  }
  if (const auto* single = std::get_if<TextOf>(&field.member))
    return {{show_value(field, (*single)(policy).value), (*single)(policy).origin.layer}};
  std::vector<std::pair<std::string, Layer>> all;
  for (const Text& entry : std::get<ListOf>(field.member)(policy))
    all.emplace_back(show_value(field, entry.value), entry.origin.layer);
  return all;
}

// What the policy must say after `value` came from `layer`.
void expect_taken(Merged merged, const Field& field, const char* value, Layer layer) {
  std::string where = std::string(field.key) + " " + value + " of " + std::string(name_of(layer));
  ASSERT_TRUE(merged.refusals.empty()) << where << ": " << merged.refusals[0].diagnostic.what;
  auto now = values(merged.policy, field);
  ASSERT_FALSE(now.empty()) << where;
  Setting wanted = setting(field, value, layer);
  std::string shown = show_value(field, wanted.value);
  EXPECT_EQ(now.back().first, shown) << where;
  EXPECT_EQ(now.back().second, layer) << where;
}

void expect_refused(const Merged& merged, Refusal::Why why, const std::string& where) {
  ASSERT_EQ(merged.refusals.size(), 1u) << where;
  EXPECT_EQ(merged.refusals[0].why, why) << where;
  EXPECT_TRUE(merged.refusals[0].diagnostic.place.ends_with("/p.toml:1:1")) << where;
  EXPECT_FALSE(merged.refusals[0].diagnostic.hint.empty()) << where;
}

const char* second_of(const Row& row) { return *row.more != '\0' ? row.more : row.less; }

}  // namespace

TEST(PolicyMerge, EveryFieldHasARow) {
  for (const Field& field : fields()) {
    EXPECT_NE(row_of(field), nullptr) << field.key << " needs a row here: what is less, what more?";
  }
}

TEST(PolicyMerge, ALaterLayerComesOnTop) {
  for (const Field& field : fields()) {
    const Row* row = row_of(field);
    ASSERT_NE(row, nullptr) << field.key;
    for (Layer earlier : kLayers) {
      for (Layer later : kLayers) {
        if (later < earlier || earlier == Layer::workspace || later == Layer::workspace) continue;
        const char* value = second_of(*row);
        // The order of the texts does not matter, that of the layers does.
        PolicyText texts[] = {text(later, field, value), text(earlier, field, row->first)};
        if (earlier == later) std::swap(texts[0], texts[1]);
        Merged merged = merge(texts);
        bool list = std::holds_alternative<ListOf>(field.member);
        EXPECT_EQ(values(merged.policy, field).size(), list ? 2u : 1u) << field.key;
        expect_taken(std::move(merged), field, value, later);
      }
    }
  }
}

TEST(PolicyMerge, TheWorkspaceNarrows) {
  for (const Field& field : fields()) {
    const Row* row = row_of(field);
    ASSERT_NE(row, nullptr) << field.key;
    if (*row->less == '\0') continue;
    for (Layer earlier : {Layer::organisation, Layer::profile, Layer::person}) {
      PolicyText texts[] = {text(earlier, field, row->first),
                            text(Layer::workspace, field, row->less)};
      expect_taken(merge(texts), field, row->less, Layer::workspace);
    }
    PolicyText alone[] = {text(Layer::workspace, field, row->less)};
    if (row->less_alone) {
      expect_taken(merge(alone), field, row->less, Layer::workspace);
    } else {
      EXPECT_TRUE(merge(alone).refusals.empty()) << field.key;  // says what is so anyway
    }
    // The person's word on the command line comes after it.
    PolicyText both[] = {text(Layer::workspace, field, row->less),
                         text(Layer::command_line, field, row->first)};
    expect_taken(merge(both), field, row->first, Layer::command_line);
  }
}

TEST(PolicyMerge, TheWorkspaceCannotWiden) {
  for (const Field& field : fields()) {
    const Row* row = row_of(field);
    ASSERT_NE(row, nullptr) << field.key;
    bool foreign = field.narrowing == Narrowing::foreign;
    auto why = foreign ? Refusal::Why::foreign : Refusal::Why::widens;
    if (field.narrowing == Narrowing::on || field.narrowing == Narrowing::off) {
      bool on = field.narrowing == Narrowing::on;
      PolicyText texts[] = {text(Layer::person, field, on ? "true" : "false"),
                            text(Layer::workspace, field, on ? "false" : "true")};
      expect_refused(merge(texts), why, std::string(field.key));
    }
    if (*row->more == '\0') continue;
    for (Layer earlier : {Layer::organisation, Layer::profile, Layer::person}) {
      PolicyText texts[] = {text(earlier, field, row->first),
                            text(Layer::workspace, field, row->more)};
      expect_refused(merge(texts), why, std::string(field.key));
      // The twin: trusted, it is taken.
      texts[1].only_narrows = false;
      if (foreign) {
        expect_refused(merge(texts), why, std::string(field.key));
      } else {
        expect_taken(merge(texts), field, row->more, Layer::workspace);
      }
    }
    if (field.narrowing == Narrowing::lower && std::string_view(row->more) != "none") continue;
    if (field.narrowing == Narrowing::later) continue;  // the default forbids least
    if (field.key == "limits.recording" || field.narrowing != Narrowing::lower) {
      PolicyText alone[] = {text(Layer::workspace, field, row->more)};
      expect_refused(merge(alone), why, std::string(field.key));
    }
  }
}

TEST(PolicyMerge, LocksHoldAgainstEveryLaterLayer) {
  for (const Field& field : fields()) {
    const Row* row = row_of(field);
    ASSERT_NE(row, nullptr) << field.key;
    const char* value = second_of(*row);
    PolicyText organisation = text(Layer::organisation, field, row->first);
    organisation.locks.push_back({&field, {Layer::organisation, "/o.toml", 7, 1}});
    for (Layer later : {Layer::profile, Layer::person, Layer::workspace, Layer::command_line}) {
      for (bool narrows : {true, false}) {
        PolicyText texts[] = {organisation, text(later, field, value)};
        texts[1].only_narrows = narrows;
        Merged merged = merge(texts);
        std::string where = std::string(field.key) + " of " + std::string(name_of(later));
        // A profile's is left out: the person could not mend it.
        if (later == Layer::profile) {
          EXPECT_TRUE(merged.refusals.empty()) << where;
          std::swap(merged.refusals, merged.left_out);
        }
        EXPECT_TRUE(merged.left_out.empty()) << where;
        expect_refused(merged, Refusal::Why::locked, where);
        EXPECT_NE(merged.refusals[0].diagnostic.what.find("/o.toml:7"), std::string::npos) << where;
        // Its own file may say it, and so may anybody who says the same.
        texts[1] = text(later, field, row->first);
        Merged same = merge(texts);
        EXPECT_TRUE(same.refusals.empty()) << where;
        EXPECT_EQ(values(same.policy, field), values(merged.policy, field)) << where;
      }
    }
    PolicyText own[] = {organisation, text(Layer::organisation, field, value)};
    expect_taken(merge(own), field, value, Layer::organisation);
  }
}

TEST(PolicyMerge, ALockOnADenyHoldsAgainstItsException) {
  const Field& protect = *field_by_key("files.protect");
  PolicyText organisation = text(Layer::organisation, protect, "ci.sh");
  organisation.locks.push_back({&protect, {Layer::organisation, "/o.toml", 7, 1}});
  PolicyText texts[] = {organisation,
                        text(Layer::command_line, *field_by_key("files.unprotect"), "ci.sh")};
  expect_refused(merge(texts), Refusal::Why::locked, "files.unprotect");
  texts[1] = text(Layer::command_line, *field_by_key("files.show"), "ci.sh");
  EXPECT_TRUE(merge(texts).refusals.empty());
  for (const Field& field : fields())
    EXPECT_TRUE(field.undoes.empty() || field_by_key(field.undoes) != nullptr) << field.key;
}

TEST(PolicyMerge, EveryRefusalIsTold) {
  PolicyText person{.layer = Layer::workspace, .only_narrows = true};
  person.settings = {setting(*field_by_key("files.read"), "/a", Layer::workspace),
                     setting(*field_by_key("files.hide"), "b", Layer::workspace),
                     setting(*field_by_key("git.hooks"), "true", Layer::workspace)};
  EXPECT_EQ(merge({&person, 1}).refusals.size(), 2u);
}

TEST(PolicyMerge, AWorkspaceLowersWhatTheHostDecides) {
  const Field& memory = *field_by_key("limits.memory");
  PolicyText workspace[] = {text(Layer::workspace, memory, "4G")};
  Merged merged = merge(workspace);
  constexpr uint64_t kGiga = 1ull << 30;
  EXPECT_EQ(merged.policy.limits.memory.or_host(2 * kGiga), 2 * kGiga);
  EXPECT_EQ(merged.policy.limits.memory.or_host(8 * kGiga), 4 * kGiga);
  workspace[0].only_narrows = false;
  EXPECT_EQ(merge(workspace).policy.limits.memory.or_host(2 * kGiga), 4 * kGiga);
}

TEST(PolicyMerge, WhatWidensAndWhatNarrowsAgree) {
  for (const Field& field : fields()) {
    bool gives = field.narrowing == Narrowing::never || field.narrowing == Narrowing::foreign ||
                 field.narrowing == Narrowing::off;
    // These give nothing, and are the person's to choose: a profile brings the gate with it, and
    // what is forgotten is the person's login.
    bool chosen = field.key == "run.name" || field.key == "terminal.detach_keys" ||
                  field.key == "network.ask_time" || field.key == "record.size" ||
                  field.key == "record.kept" || field.key == "tools.advisor.time" ||
                  field.key == "files.apart" || field.key == "run.no_profile" ||
                  field.key == "home.forget" ||
                  ((field.key.starts_with("risk.") || field.key.starts_with("undo.")) &&
                   field.narrowing == Narrowing::never);
    EXPECT_EQ(field.widens, gives && !chosen) << field.key;
  }
}

}  // namespace ringwall::policy
