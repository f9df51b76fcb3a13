// destructive-files and git-history.
#include "gate/pack_tables.h"

namespace ringwall::gate {
namespace {

using enum Answer;
using Use = PackPath::Use;

// clang-format off

constexpr std::string_view kGone = "what it deletes cannot be brought back, and it is not the work's own";
constexpr std::string_view kNameIt =
    "delete single files or build folders inside the workspace by name, or move them to a trash folder";
constexpr std::string_view kOutside = "it deletes outside of the workspace";
constexpr std::string_view kDisk = "it overwrites a disk or a filesystem";
constexpr std::string_view kAskPerson = "leave it to the person";
constexpr std::string_view kUnsaved = "changes that were never committed would be lost";
constexpr std::string_view kStash = "git stash keeps them; or name the single files";
constexpr std::string_view kRewrites = "it rewrites history that others may have";
constexpr std::string_view kRemote = "it changes or deletes what others see on the remote";

constexpr PackCommand kFileCommands[] = {
    {"rm|srm -r|-R|--recursive @root|system|home|above|workspace|git", deny, kGone, kNameIt},
    {"rm|srm @root|system|home|above|workspace --no-preserve-root", deny, kGone, kNameIt},
    {"rm|srm|unlink|shred|rmdir @system", deny, kGone, kNameIt},
    {"rm|srm|unlink|shred|truncate @git", deny, kGone, kNameIt},
    {"rm|srm|unlink @outside", ask, kOutside, kNameIt},
    {"rm|srm -r|-R|--recursive @unknown", ask,
     "what it deletes is only known when it runs", "write the path out"},
    {"find -delete @root|system|home|above", deny, kGone, kNameIt},
    {"find -delete @outside", ask, kOutside, kNameIt},
    {"find -delete !-name|-iname|-path|-ipath|-wholename|-regex|-iregex|-type|-empty|-mtime|-mmin|"
     "-size|-newer|-perm|-user @workspace",
     deny, kGone, "give find a test such as -name"},
    {"find -exec|-execdir|-ok|-okdir =rm|*/rm|unlink|shred @root|system|home|above", deny, kGone, kNameIt},
    {"find -exec|-execdir|-ok|-okdir =rm|*/rm|unlink|shred @outside", ask, kOutside, kNameIt},
    {"find -exec|-execdir|-ok|-okdir =rm|*/rm|unlink|shred "
     "!-name|-iname|-path|-ipath|-wholename|-regex|-iregex|-type|-empty|-mtime|-mmin|-size|-newer|-perm|-user "
     "@workspace",
     deny, kGone, "give find a test such as -name"},
    {"shred|wipe|srm", ask, "what it overwrites cannot be brought back", kNameIt},
    {"mkfs*|mke2fs|mkswap|wipefs|fdisk|sfdisk|cfdisk|gdisk|sgdisk|parted|blkdiscard|hdparm|"
     "cryptsetup|pvremove|vgremove|lvremove|zpool|badblocks",
     deny, kDisk, kAskPerson},
    {"dd =of=@device", deny, kDisk, kAskPerson},
    {"dd =of=@system|home|outside", ask, "it overwrites a file outside of the workspace", kAskPerson},
    {"truncate @outside|system", ask, "it empties a file outside of the workspace", kAskPerson},
    {"mv =/dev/null", deny, "what is moved there is gone", kNameIt},
    {"mv ^root|home|above|workspace|git", ask, "it moves a whole tree away", kAskPerson},
    {"rsync --delete|--delete-after|--delete-before|--delete-during|--delete-excluded|--del "
     "@root|system|home|above|outside",
     ask, "it deletes whatever the source has not", "rsync --dry-run shows what would go"},
    {"rsync --delete|--del|--remove-source-files @workspace|git", ask,
     "it may empty the workspace", "rsync --dry-run shows what would go"},
    {"kill @every-process", deny, "it ends every process", "name the process"},
    {"killall|killall5 -9|-KILL|-u|--user", ask, "it ends processes that are not its own",
     "name the process"},
    {"crontab -r", ask, "it deletes every scheduled job", "crontab -e edits one"},
    {"history -c|-w", ask, "it clears the shell's history", kAskPerson},
};

constexpr PackPath kFilePaths[] = {
    {"//dev/[shv]d[a-z]*", Use::write, deny, kDisk, kAskPerson},
    {"//dev/nvme*", Use::write, deny, kDisk, kAskPerson},
    {"//dev/mmcblk*", Use::write, deny, kDisk, kAskPerson},
    {"//dev/disk/**", Use::write, deny, kDisk, kAskPerson},
    {"//dev/mapper/**", Use::write, deny, kDisk, kAskPerson},
    {"//dev/mem", Use::write, deny, kDisk, kAskPerson},
    {"//etc/**", Use::write, ask, "it changes the system's settings", kAskPerson},
    {"//usr/**", Use::write, ask, "it changes installed programs", kAskPerson},
    {"//boot/**", Use::write, deny, "it changes how the machine starts", kAskPerson},
    {"//sys/**", Use::write, ask, "it changes the kernel's settings", kAskPerson},
    {"//proc/sys/**", Use::write, ask, "it changes the kernel's settings", kAskPerson},
    {"//proc/sysrq-trigger", Use::write, deny, "it commands the kernel", kAskPerson},
    {"~/.bashrc", Use::write, ask, "every shell runs it", kAskPerson},
    {"~/.bash_profile", Use::write, ask, "every login runs it", kAskPerson},
    {"~/.profile", Use::write, ask, "every login runs it", kAskPerson},
    {"~/.zshrc", Use::write, ask, "every shell runs it", kAskPerson},
    {"~/.zshenv", Use::write, ask, "every shell runs it", kAskPerson},
    {"~/.config/fish/**", Use::write, ask, "every shell runs it", kAskPerson},
    {"~/.config/autostart/**", Use::write, ask, "every login runs it", kAskPerson},
    {"~/.config/systemd/**", Use::write, ask, "every login runs it", kAskPerson},
    {"//var/spool/cron/**", Use::write, ask, "it runs later, outside of any gate", kAskPerson},
};

constexpr PackCode kFileCode[] = {
    {"python", "rmtree", ask, "the code deletes whole folders", kNameIt},
    {"python", "os.remove", ask, "the code deletes files", kNameIt},
    {"python", "os.unlink", ask, "the code deletes files", kNameIt},
    {"python|ruby|perl|php", "os.system", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"python", "subprocess", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"python", "os.popen", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"python", "os.exec", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"python", "os.spawn", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"python", "pty.spawn", ask, "the code opens a shell", "run the command itself"},
    {"python|php|node|ruby|perl", "eval(", ask, "the code makes up further code",
     "write it out"},
    {"python|php", "exec(", ask, "the code makes up further code", "write it out"},
    {"python", "__import__", ask, "the code hides what it uses", "write it out"},
    {"python", "b64decode", ask, "the code hides what it does", "write it out"},
    {"node", "child_process", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"node", "rmsync", ask, "the code deletes files", kNameIt},
    {"node", "unlinksync", ask, "the code deletes files", kNameIt},
    {"node", "rmdirsync", ask, "the code deletes folders", kNameIt},
    {"node", "fs.rm", ask, "the code deletes files", kNameIt},
    {"node", "fs.unlink", ask, "the code deletes files", kNameIt},
    {"node", "bun.spawn", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"node", "deno.remove", ask, "the code deletes files", kNameIt},
    {"node", "deno.command", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"perl", "eval get", ask, "the code runs what it fetches", "save it to a file, read it, then run it"},
    {"awk", "system(", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"awk", "system (", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"awk", "\"system\"", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"perl|ruby|php|lua", "system", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"perl|ruby|php", "exec", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"perl|ruby|php|lua", "unlink", ask, "the code deletes files", kNameIt},
    {"perl|ruby", "rmtree", ask, "the code deletes whole folders", kNameIt},
    {"ruby", "rm_rf", ask, "the code deletes whole folders", kNameIt},
    {"ruby", "rm_r", ask, "the code deletes whole folders", kNameIt},
    {"ruby", "file.delete", ask, "the code deletes files", kNameIt},
    {"perl|ruby|php", "`", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"php", "shell_exec", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"php", "passthru", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"lua", "os.execute", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"lua", "os.remove", ask, "the code deletes files", kNameIt},
    {"lua", "io.popen", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"awk", "| getline", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"awk", "|getline", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"awk", "| \"", ask, "the code runs commands that are not looked at",
     "run the command itself"},
    {"awk", "|\"", ask, "the code runs commands that are not looked at",
     "run the command itself"},
};

constexpr std::string_view kNoForce = "push without force to a branch of its own, and let the person merge";
constexpr std::string_view kBranch = "push to a branch of its own, and let the person merge";

constexpr PackCommand kGitCommands[] = {
    {"git push -f|--force !--dry-run", deny, kRemote, kNoForce},
    {"git push --force-with-lease|--force-if-includes !--dry-run", ask, kRemote, kNoForce},
    {"git push =+*", deny, kRemote, kNoForce},
    {"git push --mirror|--prune", deny, kRemote, kNoForce},
    {"git push &remote.*.push=+*|remote.*.mirror=*", deny, kRemote, kNoForce},
    {"git push &remote.*.push=*|remote.*.url=*|remote.*.pushurl=*|push.default=*", ask, kRemote, kBranch},
    {"git push --delete|-d|--all|--branches|--tags", ask, kRemote, kBranch},
    {"git push =:*", ask, kRemote, kBranch},
    {"git push =main|master|*:main|*:master|refs/heads/main|refs/heads/master|*:refs/heads/main|"
     "*:refs/heads/master|trunk|production|heads/main|heads/master !--dry-run",
     ask, "it pushes to a branch that others build on", kBranch},
    {"git push @all-branches !--dry-run", ask, "it pushes every branch", kBranch},
    {"git push @on-main !--dry-run", ask, "it pushes a branch that others build on", kBranch},
    {"git send-pack|http-push", ask, kRemote, kBranch},
    {"git reset --hard|--merge", ask, kUnsaved, kStash},
    {"git checkout -f|--force", ask, kUnsaved, kStash},
    {"git checkout =.|:/", ask, kUnsaved, kStash},
    {"git checkout|restore @all-files", ask, kUnsaved, kStash},
    {"git checkout|restore @above", ask, kUnsaved, kStash},
    {"git checkout-index -f|--force", ask, kUnsaved, kStash},
    {"git read-tree --reset|-u", ask, kUnsaved, kStash},
    {"git switch -f|--force|--discard-changes", ask, kUnsaved, kStash},
    {"git restore !--staged|-S =.|:/", ask, kUnsaved, kStash},
    {"git restore -W|--worktree =.|:/", ask, kUnsaved, kStash},
    {"git clean -f|--force !-n|--dry-run", ask, "files that git does not know would be deleted",
     "git clean -n shows them"},
    {"git clean &clean.requireforce=* !-n|--dry-run", ask, "files that git does not know would be deleted",
     "git clean -n shows them"},
    {"git stash drop|clear", ask, kUnsaved, kAskPerson},
    {"git branch -D", ask, "commits that no other branch has would be lost", "git branch -d refuses then"},
    {"git branch -d|--delete -f|--force", ask, "commits that no other branch has would be lost",
     "without --force git refuses then"},
    {"git branch -f|--force", ask, "commits that no other branch has would be lost", kAskPerson},
    {"git filter-branch|filter-repo", ask, kRewrites, kAskPerson},
    {"bfg|git-filter-repo", ask, kRewrites, kAskPerson},
    {"git reflog expire|delete", deny, "it takes away the last way back to lost commits", kAskPerson},
    {"git gc --prune=now|--prune=all", ask, "it takes away the last way back to lost commits",
     "git gc alone keeps two weeks"},
    {"git prune !-n|--dry-run", ask, "it takes away the last way back to lost commits", kAskPerson},
    {"git update-ref", ask, kRewrites, kAskPerson},
    {"git worktree remove -f|--force", ask, kUnsaved, kStash},
    {"git submodule deinit -f|--force", ask, kUnsaved, kStash},
    {"git rm -r @workspace", ask, kUnsaved, "name the files"},
    {"git remote set-url|remove|rm", ask, "it leads pushes elsewhere", kAskPerson},
    {"git replace", ask, kRewrites, kAskPerson},
    {"gh repo delete", deny, "it deletes a repository", kAskPerson},
    {"gh repo archive|edit|rename", ask, "it changes a repository for everybody", kAskPerson},
    {"gh pr merge", ask, "it merges for everybody", kAskPerson},
    {"gh release|run|issue|label|gist|cache|secret|variable|ssh-key|gpg-key delete", ask, kRemote, kAskPerson},
    {"gh alias set|import", ask, "a shorter name may stand for any command", kAskPerson},
    {"gh extension install|upgrade", ask, "gh would run what others write", kAskPerson},
    {"gh api -X=DELETE|--method=DELETE", ask, kRemote, kAskPerson},
    {"glab repo|project delete", deny, "it deletes a repository", kAskPerson},
    {"glab mr merge", ask, "it merges for everybody", kAskPerson},
};
// clang-format on

}  // namespace

constexpr Pack kDestructiveFiles{"destructive-files",
                                 "deleting or overwriting what is not the work's own",
                                 kFileCommands, kFilePaths, kFileCode};
constexpr Pack kGitHistory{"git-history",
                           "force pushes, pushes to main or master, lost commits and changes",
                           kGitCommands};

}  // namespace ringwall::gate
