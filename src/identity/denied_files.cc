#include "identity/denied_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "identity/rule_resolver.h"

namespace ringwall::identity {
namespace {

// A wrapper of a wrapper of a wrapper.
constexpr int kMostRounds = 4;

std::unexpected<Error> misfit(const RuleEntry& entry, const char* key, std::string what,
                              std::string hint) {
  return fail(std::string(key) + " " + text::quote(entry.text) + " " + std::move(what) + " (" +
                  entry.origin.text() + ")",
              std::move(hint));
}

// What a missing file may have been meant for.
std::string suggestion_for(const std::string& path) {
  auto folder = file::open(path::parent(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  auto entries = folder ? file::list(folder->get()) : fail("");
  std::vector<std::string> names;
  if (entries) {
    for (const file::Entry& entry : *entries)
      names.push_back(entry.name);
  }
  std::string near = text::nearest(path::basename(path), names);
  if (near.empty()) return "name a file that is there, or a hash: ringwall programs hash FILE";
  return "did you mean file:" + text::quote(path::join(path::parent(path), near)) + "?";
}

}  // namespace

void Resolver::take(Program program, Taken::Reason reason, const RuleEntry* entry, Digest digest,
                    std::string why) {
  if (!taken_.insert({program.tree, program.path}).second) return;
  denied_ends_.insert(program.path);
  Taken taken{std::move(program),
              reason,
              digest,
              entry == nullptr ? "" : entry->text,
              entry == nullptr ? policy::Origin() : entry->origin,
              std::move(why)};
  out_.taken.push_back(std::move(taken));
}

void Resolver::collect_content(const Content& content, uint64_t size, const RuleEntry& entry,
                               Contents& into) {
  // Every empty file is the same: that says nothing.
  if (!content.digest || size == 0) return;
  into.contents.try_emplace(*content.digest, Wanted{&entry, size});
}

// By PATH: where a shell would find it. What the trees hold under the name comes with take_names().
void Resolver::collect_name(const RuleEntry& entry, Contents& into) {
  for (const std::string& path : search_.found_by_path(entry.rule.text)) {
    bool of_agent = std::ranges::any_of(search_.trees(), [&](const SearchedTree& tree) {
      return tree.writable && path::is_beneath(path, tree.path);
    });
    // What an agent has put onto the PATH does not become allowed by its name.
    if (of_agent && !into.is_for_deny) continue;
    FileKey key;
    Content content = search_.content_of_path(path, &key);
    into.met.insert(&entry);
    if (into.is_for_deny) denied_ends_.insert(path);
    collect_content(content, key.size, entry, into);
  }
}

Status Resolver::collect(const std::vector<RuleEntry>& entries, const char* key, Contents& into) {
  for (const RuleEntry& entry : entries) {
    switch (entry.rule.kind) {
      case Kind::name:
        into.names.emplace(entry.rule.text, &entry);
        collect_name(entry, into);
        break;
      case Kind::content:
        into.contents.try_emplace(entry.rule.digest,
                                  Wanted{&entry, search_.hashes().size_of(entry.rule.digest)});
        break;
      case Kind::file: {
        const std::string& path = entry.rule.text;
        FileKey file;
        Content content = search_.content_of_path(path, &file);
        bool is_missing = ProgramSearch::real_path(path).empty();
        if (is_missing)
          return misfit(entry, key, "names a file that is not there", suggestion_for(path));
        if (!content.digest) return misfit(entry, key, "cannot be hashed: " + content.why_not, "");
        if (file.size == 0) return misfit(entry, key, "is an empty file, as many are", "");
        into.met.insert(&entry);
        if (into.is_for_deny) denied_ends_.insert(ProgramSearch::real_path(path));
        collect_content(content, file.size, entry, into);
        break;
      }
      case Kind::system:
      case Kind::built_here:
        break;
    }
  }
  return {};
}

// Everything that bears a denied name, and where links of that name lead.
void Resolver::take_names() {
  if (denied_.names.empty()) return;
  std::vector<std::pair<Program, const RuleEntry*>> found;
  search_.for_each([&](size_t tree, const std::string& folder, const ListedFile& file) {
    auto named = denied_.names.find(search_.name_of(tree, file));
    if (named != denied_.names.end())
      found.emplace_back(search_.program(tree, folder, file), named->second);
  });
  for (auto& [program, entry] : found) {
    if (program.kind == ProgramKind::link) {
      std::string end = ProgramSearch::real_path(program.path);
      FileKey key;
      Content content = end.empty() ? Content() : search_.content_of_path(end, &key);
      // A link to a folder, or to data that happens to bear the name (completions, icons).
      auto fd = end.empty() ? fail("") : file::open(end, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
      struct stat facts;
      bool is_data = fd && fstat(fd->get(), &facts) == 0 &&
                     (!S_ISREG(facts.st_mode) ||
                      kind_of_file(fd->get(), (facts.st_mode & 0111) != 0) == ProgramKind::none);
      if (is_data && !denied_ends_.contains(end)) continue;
      if (!end.empty()) denied_ends_.insert(end);
      collect_content(content, key.size, *entry, denied_);
      denied_.met.insert(entry);
      take(std::move(program), Taken::Reason::name, entry, {}, "a link of that name");
      continue;
    }
    bool is_data = program.kind == ProgramKind::none || program.kind == ProgramKind::library;
    if (is_data && !program.may_execute) continue;
    Content content = search_.content_of(program, UINT64_MAX);
    collect_content(content, program.key.size, *entry, denied_);
    denied_.met.insert(entry);
    take(std::move(program), Taken::Reason::name, entry, content.digest.value_or(Digest()),
         "bears that name");
  }
}

// Every file of a denied content. Only what has the size of one is read, where that is known.
Status Resolver::take_contents() {
  if (denied_.contents.empty()) return {};
  std::unordered_set<uint64_t> sizes;
  bool any_size = false;
  for (const auto& [digest, wanted] : denied_.contents) {
    if (wanted.size) sizes.insert(*wanted.size);
    any_size |= !wanted.size;
  }
  SizeFilter filter = any_size ? SizeFilter::everything() : SizeFilter();
  for (uint64_t size : sizes)
    filter.add(size);
  TRY(search_.examine(filter));
  std::vector<Program> candidates;
  search_.for_each([&](size_t tree, const std::string& folder, const ListedFile& file) {
    bool is_program = file.kind != ProgramKind::link && file.key.size != 0;
    if (!is_program) return;
    if (any_size || sizes.contains(file.key.size))
      candidates.push_back(search_.program(tree, folder, file));
  });
  for (Program& program : candidates) {
    if (is_taken(program)) continue;
    bool has_size = sizes.contains(program.key.size);
    if (has_size) search_.look_again(program);
    Content content = search_.content_of(program, has_size ? UINT64_MAX : kMostWithoutReason);
    if (!content.digest) {
      take(std::move(program), Taken::Reason::unknown, nullptr, {},
           "may hold what is denied: " + content.why_not);
      continue;
    }
    auto found = denied_.contents.find(*content.digest);
    if (found == denied_.contents.end()) continue;
    denied_.met.insert(found->second.entry);
    if (!found->second.size) found->second.size = program.key.size;
    take(std::move(program), Taken::Reason::content, found->second.entry, *content.digest,
         "holds the same bytes");
  }
  return {};
}

// Where a wrapper script leads: a real path, or nothing.
std::string Resolver::target_of_wrapper(const Program& program) const {
  const std::string& target = program.wraps;
  if (target.starts_with('/')) return ProgramSearch::real_path(target);
  if (target.starts_with("./") || target.starts_with("../"))
    return ProgramSearch::real_path(path::join(path::parent(program.path), target));
  std::vector<std::string> found = search_.found_by_path(target);
  return found.empty() ? "" : found[0];
}

// True if there was one: its bytes are denied from now on, wherever they are.
bool Resolver::take_wrappers() {
  std::vector<Program> wrappers;
  search_.for_each([&](size_t tree, const std::string& folder, const ListedFile& file) {
    if (file.wraps != 0) wrappers.push_back(search_.program(tree, folder, file));
  });
  // Following links costs more than all the rest: only names that were met are worth it.
  std::unordered_set<std::string_view> names;
  for (const std::string& end : denied_ends_)
    names.insert(path::basename(end));
  bool is_news = false;
  for (Program& program : wrappers) {
    if (is_taken(program)) continue;
    if (!names.contains(path::basename(program.wraps))) continue;
    std::string target = target_of_wrapper(program);
    if (target.empty() || !denied_ends_.contains(target)) continue;
    const RuleEntry* entry = nullptr;
    for (const Taken& taken : out_.taken) {
      if (taken.program.path != target) continue;
      for (const RuleEntry& rule : rules_.deny) {
        if (rule.text == taken.rule) entry = &rule;
      }
    }
    if (entry == nullptr) entry = &rules_.deny.front();
    Content content = search_.content_of(program, UINT64_MAX);
    collect_content(content, program.key.size, *entry, denied_);
    std::string why = "does nothing but start " + target;
    take(std::move(program), Taken::Reason::wrapper, entry, content.digest.value_or(Digest()), why);
    is_news = true;
  }
  return is_news;
}

void Resolver::note_misses(const std::vector<RuleEntry>& entries, const Contents& contents) {
  std::vector<std::string> names;
  for (const RuleEntry& entry : entries) {
    bool is_class = entry.rule.kind == Kind::system || entry.rule.kind == Kind::built_here;
    if (is_class || contents.met.contains(&entry)) continue;
    std::string note =
        text::quote(entry.text) + " (" + entry.origin.text() + ") matches nothing that is here";
    if (entry.rule.kind == Kind::name) {
      if (names.empty()) {
        search_.for_each([&](size_t tree, const std::string&, const ListedFile& file) {
          if (file.may_execute != 0 || file.kind == ProgramKind::link)
            names.emplace_back(search_.name_of(tree, file));
        });
      }
      std::string near = text::nearest(entry.rule.text, names);
      if (!near.empty()) note += "; did you mean " + text::quote(near) + "?";
    }
    out_.notes.push_back(note);
  }
}

Result<Resolution> Resolver::run() {
  out_.rules.mode = rules_.mode;
  TRY(collect(rules_.deny, "exec.deny", denied_));
  take_names();
  for (int round = 0; round < kMostRounds; round++) {
    TRY(take_contents());
    if (!take_wrappers()) break;
  }
  if (rules_.mode == Mode::allow) TRY(allow());
  for (const auto& [digest, one] : denied_.contents)
    out_.rules.denied.emplace(digest, one.entry->text);
  note_misses(rules_.deny, denied_);
  return std::move(out_);
}

Result<Resolution> resolve_rules(const RuleSet& rules, ProgramSearch& search) {
  return Resolver(rules, search).run();
}

}  // namespace ringwall::identity
