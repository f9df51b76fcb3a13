#include "learn/learn_reference.h"

#include "base/text.h"
#include "hand/wanted_table.h"
#include "learn/sensitive_places.h"
#include "policy/proposal.h"

namespace ringwall::learn {
namespace {

constexpr std::string_view kIntroduction = R"(# Learning what a command needs

Made by `make docs` from `src/learn/learn_reference.cc` and the tables that the program uses; change those, not this
page.

```sh
ringwall learn -- make                      # what does it miss?
ringwall learn --write ~/make.toml -- make  # the same, and the proposal in a new file
ringwall run --policy ~/make.toml -- make   # with it, once you have read it
ringwall learn --json --ro ~/data -- make   # on top of other grants; as data, on stderr
```

The command runs behind the same walls as in `ringwall run`: what is refused there is refused here, and the probes of
`ringwall verify` are stopped as well. What it missed is collected, and in the end the smallest additions to your policy
are printed that would give it, each with how often it was wanted and by which programs. Nothing is applied. `--write`
makes a new file; it never writes over one, nor where a run could change it.

A command that was refused something often stops there, or goes another way. Learn again with what was proposed until
nothing new comes. **What was asked for is not always needed**, and an agent can ask for whatever it likes: read each
line before you use it.

## What is seen

)";

constexpr std::string_view kSeen =
    R"(- Files that the command opens, runs, enters or asks for, that are missing inside and are there on the host, where you may
  read them; and files and folders that it would write, where you may and it may not. What is missing outside too (a
  search along `PATH`, for libraries or headers) is no finding, nor is what lies in `/proc`, `/sys` and `/dev`.
- Hosts, with the port that was wanted. So that a program says which, a name that no rule covers gets an address inside, and
  the connection is refused, where `ringwall run` would say that there is no such name; nothing is looked up, and nothing
  leaves. A name that was only asked for is proposed at port 443 (22 if it was ssh).
- Sockets of the file system that it would connect to: always left out, but named.
- Not seen: which variables it looked for, since a process reads its own memory; ports of this machine (`127.0.0.1` inside
  is the run's own); what a program would have done next.
)";

std::string rules() {
  return "- " + std::to_string(policy::kManyOfOneFolder) +
         " files of one folder or more become the folder, unless it holds something that is left "
         "out, or everything (your\n  home, `~/.config`, `/etc`). A program comes with its "
         "installation, a package manager's cache as `--cache`.\n- At most " +
         std::to_string(policy::kMostProposed) +
         " additions are proposed, those wanted most often. Of files at most " +
         std::to_string(hand::kMostWanted) +
         " different ones are noted; what finds no\n  room is counted, and said.\n";
}

constexpr std::string_view kCost = R"(
## What it costs

Every call that names a file stops until Ringwall's hand has copied the name ([life-of-a-run.md](life-of-a-run.md)). That
makes `git status` three to four times as long, and a `find` that does nothing but look at files six times; a small C++
compile takes about 15 % longer (measured on two cores, against `ringwall run`). `ringwall run` does not stop there at all. The caller could change the name behind our back: what comes of it is advice, and decides nothing.

It needs Linux 5.19. It cannot be started with `--detach`, since there would be nobody to show it to; who leaves later
finds it in the file of `--write` alone.

## What is left out

Judged by the name that was asked for and by where it leads. Beside the places below: what
[hidden-files.md](hidden-files.md) names, and, for writing, [protected-files.md](protected-files.md); the logins of
[profiles.md](profiles.md); sockets; files outside your home that others on the machine may not read; other people's homes;
Ringwall's own files; everything that cannot be granted at all; private, loopback, link-local and metadata addresses, and
names such as `db.internal` or `printer`; what a `deny` names.

| in the home | what |
| --- | --- |
)";

std::string row(const KnownPlaces& places, std::string_view before) {
  std::vector<std::string> names;
  for (const std::string& path : text::split(places.paths, ' '))
    names.push_back("`" + std::string(before) + path + "`");
  return "| " + text::join(names, ", ") + " | " + std::string(places.what) + " |\n";
}

}  // namespace

std::string learn_page() {
  std::string page = std::string(kIntroduction) + std::string(kSeen) + rules() + std::string(kCost);
  for (const KnownPlaces& places : sensitive_in_home())
    page += row(places, "~/");
  page += "\n| elsewhere | what |\n| --- | --- |\n";
  for (const KnownPlaces& places : sensitive_elsewhere())
    page += row(places, "");
  return page;
}

}  // namespace ringwall::learn
