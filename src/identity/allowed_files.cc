// What runs in mode allow: the contents that the rules name, and nothing else of the read-only
// trees. A name means what PATH and those trees hold: an agent must not allow itself a program by
// giving it the right name.
#include <fcntl.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "identity/rule_resolver.h"

namespace ringwall::identity {
namespace {

// "libc.so.6", "_json.cpython-311.so".
bool is_named_as_library(std::string_view path) {
  std::string_view name = path::basename(path);
  return name.ends_with(".so") || name.find(".so.") != name.npos;
}

// What the kernel starts: an ELF file with an x bit, whatever else its headers say it is. Those
// that are named as a library are asked for by programs under that name, and many have the bit.
bool can_start(const Program& program) {
  if (program.kind == ProgramKind::program) return true;
  if (!program.may_execute || program.kind == ProgramKind::none) return false;
  return program.kind != ProgramKind::library || !is_named_as_library(program.path);
}

}  // namespace

// A writable tree can lie in a read-only one: what it holds is the agent's, not the system's.
bool Resolver::can_be_written(const std::string& path) const {
  return std::ranges::any_of(search_.trees(), [&](const SearchedTree& tree) {
    return tree.writable && path::is_beneath(path, tree.path);
  });
}

void Resolver::allow_names() {
  if (allowed_.names.empty()) return;
  std::vector<std::pair<Program, const RuleEntry*>> found;
  search_.for_each([&](size_t tree, const std::string& folder, const ListedFile& file) {
    if (search_.trees()[tree].writable) return;
    auto named = allowed_.names.find(search_.name_of(tree, file));
    if (named == allowed_.names.end()) return;
    Program program = search_.program(tree, folder, file);
    if (!can_be_written(program.path)) found.emplace_back(std::move(program), named->second);
  });
  for (const auto& [program, entry] : found) {
    std::string end = ProgramSearch::real_path(program.path);
    if (end.empty()) continue;
    FileKey key;
    Content content = search_.content_of_path(end, &key);
    if (!content.digest) continue;
    allowed_.met.insert(entry);
    collect_content(content, key.size, *entry, allowed_);
  }
}

// False if it must go: it can be started, and nothing allows it.
bool Resolver::judge_read_only(const Program& program, bool all_of_system) {
  bool starts = can_start(program);
  if (!starts) return true;
  Content content = search_.content_of(program, kMostWithoutReason);
  if (!content.digest) return false;
  auto named = allowed_.contents.find(*content.digest);
  if (named != allowed_.contents.end()) {
    allowed_.met.insert(named->second.entry);
    if (program.kind == ProgramKind::script)
      allowed_scripts_.emplace_back(program, named->second.entry);
    return true;
  }
  if (all_of_system) out_.rules.allowed.try_emplace(*content.digest, "system");
  return all_of_system;
}

// Somewhere in the system a test or an example may bear the name as well: it stays without its
// interpreter. What a shell finds by that name should run.
bool Resolver::is_meant(const Program& script, const RuleEntry& entry) const {
  if (entry.rule.kind != Kind::name) return true;
  std::vector<std::string> found = search_.found_by_path(entry.rule.text);
  return std::ranges::find(found, script.path) != found.end();
}

// A script that is allowed is started by its interpreter.
Status Resolver::check_interpreters() {
  for (const auto& [script, entry] : allowed_scripts_) {
    if (!is_meant(script, *entry)) continue;
    auto fd = file::open(script.path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    auto text = fd ? file::read_all(fd->get(), 64 << 20) : fail("");
    std::string interpreter = text ? interpreter_of(*text) : "";
    if (interpreter.empty()) continue;
    Content content = search_.content_of_path(interpreter);
    if (content.digest && out_.rules.allowed.contains(*content.digest)) continue;
    std::string name(path::basename(interpreter));
    return fail("exec.allow names the script " + text::quote(script.path) +
                    ", and not its interpreter " + text::quote(interpreter),
                "allow that too: --allow-program " + name);
  }
  return {};
}

Status Resolver::allow() {
  TRY(collect(rules_.allow, "exec.allow", allowed_));
  allow_names();
  bool all_of_system = rules_.allow.empty();
  for (const RuleEntry& entry : rules_.allow) {
    all_of_system |= entry.rule.kind == Kind::system;
    out_.rules.built_here |= entry.rule.kind == Kind::built_here;
  }
  for (const auto& [digest, wanted] : allowed_.contents)
    out_.rules.allowed.emplace(digest, wanted.entry->text);
  std::vector<Program> programs;
  search_.for_each([&](size_t tree, const std::string& folder, const ListedFile& file) {
    if (file.kind == ProgramKind::link || search_.trees()[tree].writable) return;
    Program program = search_.program(tree, folder, file);
    if (!can_be_written(program.path)) programs.push_back(std::move(program));
  });
  for (Program& program : programs) {
    if (is_taken(program) || judge_read_only(program, all_of_system)) continue;
    take(std::move(program), Taken::Reason::unallowed, nullptr, {}, "nothing allows it");
  }
  note_misses(rules_.allow, allowed_);
  return all_of_system ? Status() : check_interpreters();
}

}  // namespace ringwall::identity
