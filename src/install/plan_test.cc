#include "install/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "install/marked_lines.h"

namespace ringwall::install {
namespace {

using Kind = FileState::Kind;

const Scope kPerson{.uid = 1000,
                    .home = "/home/ann",
                    .folder = "/home/ann/.local/state/ringwall/install",
                    .program = "/usr/local/bin/ringwall",
                    .shims = "/home/ann/.local/share/ringwall/bin"};
const Scope kSystem{.system = true, .folder = kSystemFolder, .program = "/usr/local/bin/ringwall"};

FileState link_to(std::string target) {
  return {.kind = Kind::link, .content = std::move(target), .mode = 0777};
}
FileState file_of(std::string content, mode_t mode = 0644) {
  return {.kind = Kind::file, .content = std::move(content), .mode = mode, .changed = 42};
}

Copy npm_link(const std::string& bin) {
  return {.path = bin + "/claude",
          .state = link_to("../lib/node_modules/@anthropic-ai/claude-code/cli.js"),
          .on_path = true,
          .persons_own = true};
}

Seen see_claude(std::vector<Copy> copies, std::vector<SeenFile> settings = {}) {
  return {.agents = {{.agent = agent_by_name("claude"),
                      .copies = std::move(copies),
                      .settings = std::move(settings)}}};
}

const Change* find(const Plan& plan, std::string_view path) {
  auto found = std::ranges::find(plan.changes, path, &Change::path);
  return found == plan.changes.end() ? nullptr : &*found;
}

// What the manifest would be after it.
Manifest after(const Plan& plan) { return {kPerson.program, plan.changes}; }

TEST(Plan, a_link_of_npm_becomes_a_shim_that_starts_what_it_led_to) {
  auto plan =
      plan_install(kPerson, see_claude({npm_link("/home/ann/.nvm/versions/node/v24/bin")}), {});
  ASSERT_TRUE(plan);
  const Change* change = find(*plan, "/home/ann/.nvm/versions/node/v24/bin/claude");
  ASSERT_NE(change, nullptr);
  auto shim = read_shim(change->after.content);
  ASSERT_TRUE(shim);
  EXPECT_EQ(shim->real,
            "/home/ann/.nvm/versions/node/v24/lib/node_modules/@anthropic-ai/claude-code/cli.js");
  EXPECT_EQ(change->moved_to, "");
  EXPECT_EQ(change->after.mode, 0755u);
  EXPECT_NE(find(*plan, "/home/ann/.local/share/ringwall/bin/claude"), nullptr);
}

TEST(Plan, every_node_version_gets_one_and_a_managers_own_switch_none) {
  Copy volta = npm_link("/home/ann/.volta/bin");
  volta.goes_by_name = true;
  auto plan = plan_install(kPerson,
                           see_claude({npm_link("/home/ann/.nvm/versions/node/v22/bin"),
                                       npm_link("/home/ann/.nvm/versions/node/v24/bin"), volta}),
                           {});
  EXPECT_NE(find(*plan, "/home/ann/.nvm/versions/node/v22/bin/claude"), nullptr);
  EXPECT_NE(find(*plan, "/home/ann/.nvm/versions/node/v24/bin/claude"), nullptr);
  EXPECT_EQ(find(*plan, "/home/ann/.volta/bin/claude"), nullptr);
}

TEST(Plan, a_person_does_not_touch_the_systems_copy) {
  Copy copy = npm_link("/usr/local/bin");
  copy.persons_own = false;
  auto plan = plan_install(kPerson, see_claude({copy}), {});
  EXPECT_EQ(find(*plan, "/usr/local/bin/claude"), nullptr);
  EXPECT_NE(find(*plan, "/home/ann/.local/share/ringwall/bin/claude"), nullptr);
}

TEST(Plan, a_program_is_moved_beside_or_for_the_system_where_no_path_leads) {
  Copy copy{
      .path = "/home/ann/.local/bin/claude", .state = file_of("ELF", 0755), .persons_own = true};
  EXPECT_EQ(place_for_moved(kPerson, copy, false), "/home/ann/.local/bin/.claude.ringwall-real");
  Copy packaged{.path = "/usr/bin/claude", .state = file_of("ELF", 0755)};
  EXPECT_EQ(place_for_moved(kSystem, packaged, true), "/usr/lib/ringwall/real/claude");
  packaged.state = link_to("../lib/claude/claude");
  EXPECT_EQ(place_for_moved(kSystem, packaged, true), "/usr/bin/.claude.ringwall-real")
      << "a relative link works from its own folder alone";
}

TEST(Plan, nothing_is_left_to_do_after_it) {
  Seen seen = see_claude({npm_link("/home/ann/.nvm/versions/node/v24/bin")},
                         {{"/home/ann/.claude/settings.json", file_of("{\"model\": \"x\"}")}});
  seen.shell_files = {{"/home/ann/.bashrc", file_of("x\n")}};
  auto first = plan_install(kPerson, seen, {});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->changes.size(), 4u);
  Seen again = seen;
  again.agents[0].copies[0].state = first->changes[0].after;
  again.agents[0].copies[0].shim = read_shim(first->changes[0].after.content);
  again.agents[0].first_shim = first->changes[1].after;
  again.agents[0].settings[0].state = first->changes[2].after;
  again.shell_files[0].state = first->changes[3].after;
  auto second = plan_install(kPerson, again, after(*first));
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->changes.empty());
}

TEST(Plan, an_update_gives_a_new_shim_for_the_new_program) {
  Seen seen = see_claude({npm_link("/home/ann/.nvm/versions/node/v24/bin")});
  auto first = plan_install(kPerson, seen, {});
  seen.agents[0].copies[0].state.content =
      "../lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe";
  seen.agents[0].first_shim = find(*first, "/home/ann/.local/share/ringwall/bin/claude")->after;
  auto second = plan_install(kPerson, seen, after(*first));
  ASSERT_EQ(second->changes.size(), 1u);
  EXPECT_TRUE(read_shim(second->changes[0].after.content)->real.ends_with("bin/claude.exe"));
  EXPECT_TRUE(second->changes[0].before.content.ends_with("bin/claude.exe"));
}

TEST(Plan, another_ringwall_keeps_what_was_found_first) {
  Seen seen = see_claude({npm_link("/home/ann/.nvm/versions/node/v24/bin")},
                         {{"/home/ann/.claude/settings.json", file_of("{\"model\":   \"x\"}")}});
  auto first = plan_install(kPerson, seen, {});
  Scope moved = kPerson;
  moved.program = "/opt/ringwall/bin/ringwall";
  Seen again = seen;
  again.agents[0].copies[0].state = first->changes[0].after;
  again.agents[0].copies[0].shim = read_shim(first->changes[0].after.content);
  again.agents[0].first_shim = first->changes[1].after;
  again.agents[0].settings[0].state = first->changes[2].after;
  auto second = plan_install(moved, again, after(*first));
  ASSERT_EQ(second->changes.size(), 3u);
  EXPECT_TRUE(second->changes[0].before.is_link());
  EXPECT_TRUE(second->changes[1].before.is_absent());
  EXPECT_EQ(second->changes[2].before.content, "{\"model\":   \"x\"}") << "byte for byte";
  EXPECT_EQ(second->changes[2].after.content.find("/usr/local/bin/ringwall"), std::string::npos);
}

TEST(Plan, settings_that_cannot_be_kept_stop_everything) {
  for (const char* text :
       {"{\"a\":1,}", "// mine\n{}", "[]", "{\"hooks\":[]}", "{\"a\":1,\"a\":2}"}) {
    auto plan = plan_install(
        kPerson, see_claude({}, {{"/home/ann/.claude/settings.json", file_of(text)}}), {});
    EXPECT_FALSE(plan) << text;
  }
}

TEST(Plan, settings_shut_every_hatch_and_refuse_by_hooks) {
  auto plan = plan_install(kPerson, see_claude({}, {{"/home/ann/.claude/settings.json", {}}}), {});
  ASSERT_TRUE(plan);
  std::string text = find(*plan, "/home/ann/.claude/settings.json")->after.content;
  for (const char* word :
       {"\"disableBypassPermissionsMode\": \"disable\"", "\"allowUnsandboxedCommands\": false",
        "\"enableAllProjectMcpServers\": false", "\"DISABLE_AUTOUPDATER\": \"1\"",
        "UserPromptSubmit", "PreToolUse", "hook --walled --agent claude", "|| exit 2"})
    EXPECT_NE(text.find(word), std::string::npos) << word;
}

TEST(Plan, of_the_system_diverts_what_a_package_owns_and_leaves_homes_alone) {
  Copy packaged{.path = "/usr/bin/claude", .state = file_of("ELF", 0755)};
  Copy home{.path = "/home/ann/.local/bin/claude", .state = file_of("ELF", 0755)};
  Seen seen = see_claude({packaged, home});
  seen.agents[0].owned_copies = {"/usr/bin/claude"};
  auto plan = plan_install(kSystem, seen, {});
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->changes.size(), 1u);
  EXPECT_TRUE(plan->changes[0].diverted);
  EXPECT_EQ(read_shim(plan->changes[0].after.content)->real, "/usr/lib/ringwall/real/claude");
}

TEST(Plan, codex_gets_requirements_that_leave_somebodys_own_alone) {
  auto plan_for = [](const char* text) {
    Seen seen{.agents = {{.agent = agent_by_name("codex"),
                          .settings = {{"/etc/codex/requirements.toml", file_of(text)}}}}};
    return plan_install(kSystem, seen, {});
  };
  auto alone = plan_for("");
  ASSERT_TRUE(alone);
  EXPECT_NE(alone->changes[0].after.content.find("allowed_sandbox_modes"), std::string::npos);
  EXPECT_NE(alone->changes[0].after.content.find("[[hooks.PreToolUse]]"), std::string::npos);
  auto shared = plan_for("[mcp_servers.x]\nid = 1\n");
  ASSERT_TRUE(shared);
  EXPECT_TRUE(shared->changes[0].after.content.starts_with("[mcp_servers.x]\nid = 1\n"));
  EXPECT_EQ(shared->changes[0].after.content.find("allowed_"), std::string::npos);
  EXPECT_FALSE(plan_for("[hooks]\n")) << "two tables of one name are no TOML";
}

TEST(Manifest, is_read_back_as_it_was_written) {
  Seen seen =
      see_claude({npm_link("/home/ann/\xff/bin")},
                 {{"/home/ann/.claude/settings.json", file_of("{\"m\": \"\\u00e4 %\"}\n")}});
  auto plan = plan_install(kPerson, seen, {});
  ASSERT_TRUE(plan);
  plan->changes[0].folders = {"/home/ann/x y"};
  Manifest manifest = after(*plan);
  auto read = parse_manifest(manifest_text(manifest));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(manifest_text(*read), manifest_text(manifest));
  EXPECT_EQ(read->agents(), std::vector<std::string>{"claude"});
  EXPECT_TRUE(read->is_installed("claude"));
  EXPECT_FALSE(parse_manifest("{}"));
  EXPECT_FALSE(parse_manifest("{\"version\": 2, \"program\": \"\", \"changes\": []}"));
  EXPECT_FALSE(parse_manifest("{\"version\": 1, \"program\": \"\", \"changes\": [{}]}"));
}

}  // namespace
}  // namespace ringwall::install
