#include "shell/global_options.h"

#include <array>

#include "shell/name_index.h"
#include "shell/wrappers.h"

namespace ringwall::shell {
namespace {

struct Program {
  std::string_view name;
  OptionShape shape;
};

constexpr auto kPrograms = std::to_array<Program>({
    {"git",
     {"Cc",
      "git-dir work-tree namespace super-prefix config-env attr-source list-cmds shallow-file"}},
    {"docker", {"Hcl", "host context config log-level tlscacert tlscert tlskey"}},
    {"podman",
     {"cr",
      "connection url root runroot log-level storage-driver storage-opt tmpdir identity module "
      "cgroup-manager conmon config events-backend hooks-dir imagestore namespace network-cmd-path "
      "network-config-dir out runtime runtime-flag ssh volumepath"}},
    {"nerdctl",
     {"HanN", "host address namespace data-root cgroup-manager snapshotter storage-driver"}},
    {"docker-compose",
     {"fpHlc",
      "file project-name profile host log-level context env-file project-directory ansi parallel "
      "progress"}},
    {"kubectl",
     {"nsv",
      "namespace context cluster user kubeconfig server token as as-group as-uid "
      "certificate-authority client-certificate client-key request-timeout tls-server-name "
      "username "
      "password profile profile-output cache-dir v vmodule log-flush-frequency"}},
    {"oc", {"ns", "namespace context cluster user kubeconfig server token as as-group config"}},
    {"helm",
     {"n",
      "namespace kube-context kubeconfig kube-apiserver kube-as-user kube-as-group kube-token "
      "kube-ca-file registry-config repository-cache repository-config burst-limit qps"}},
    {"terraform", {"", "", true}},
    {"tofu", {"", "", true}},
    {"terragrunt", {"", "", true}},
    {"npm",
     {"Cw",
      "prefix workspace registry userconfig globalconfig loglevel cache script-shell otp tag "
      "access"}},
    {"pnpm", {"CFw", "dir filter workspace-dir reporter loglevel store-dir config-dir prefix"}},
    {"yarn", {"", "cwd registry modules-folder cache-folder mutex use-yarnrc global-folder"}},
    {"bun", {"crdl", "cwd config env-file loader define require preload"}},
    {"uv", {"", "directory project config-file cache-dir color python allow-insecure-host"}},
    {"pip",
     {"",
      "log proxy retries timeout cert client-cert cache-dir python exists-action trusted-host"}},
    {"pip3", {"", "log proxy retries timeout cert client-cert cache-dir python exists-action"}},
    {"poetry", {"CP", "directory project"}},
    {"cargo", {"CZ", "color config manifest-path explain"}},
    {"go", {"C", "", true}},
    {"aws",
     {"",
      "profile region output endpoint-url query cli-read-timeout cli-connect-timeout ca-bundle "
      "color "
      "cli-binary-format"}},
    {"gcloud",
     {"",
      "project account configuration format verbosity impersonate-service-account billing-project "
      "flags-file trace-token access-token-file filter"}},
    {"az", {"o", "subscription output query"}},
    {"gh", {"R", "repo hostname"}},
    {"glab", {"R", "repo"}},
    {"hg", {"R", "repository cwd config encoding encodingmode color pager"}},
    {"svn", {"", "username password config-dir config-option"}},
    {"systemctl",
     {"HMtpPosn", "host machine type property value output signal lines state root job-mode when"}},
    {"journalctl", {"", ""}},
    {"redis-cli", {"hpanui", "user pass askpass"}},
    {"heroku", {"ar", "app remote team"}},
    {"flyctl", {"atc", "app access-token config"}},
    {"fly", {"atc", "app access-token config"}},
    {"vercel", {"tSA", "token scope cwd local-config global-config team"}},
    {"firebase", {"P", "project account token config"}},
    {"pulumi", {"Csv", "cwd stack color verbose"}},
    {"vault", {"", "address namespace ca-cert ca-path client-cert client-key", true}},
    {"restic", {"ropv", "repo repository-file option password-file password-command cache-dir"}},
    {"apt-get", {"coqt", "config-file option target-release"}},
    {"apt", {"cot", "config-file option target-release"}},
    {"mise", {"CEj", "cd env jobs profile"}},
    {"nix", {"", "option log-format extra-experimental-features"}},
    {"conda", {"", ""}},
    {"jj", {"R", "repository at-operation config config-file color"}},
    {"fossil", {"R", ""}},
    {"bundle", {"r", "retry"}},
    {"deno", {"L", "log-level"}},
    {"pipenv", {"", "python pypi-mirror"}},
    {"composer", {"d", "working-dir"}},
    {"ringwall", {"", ""}},
});

constexpr auto kIndex =
    make_name_index<kPrograms, [](const Program& program) { return program.name; }>();

}  // namespace

std::optional<OptionShape> global_options_of(std::string_view program) {
  std::span<const NameEntry> found = entries_named(kIndex, program);
  if (found.empty()) return std::nullopt;
  return kPrograms[found[0].row].shape;
}

size_t first_behind_global_options(const std::vector<Word>& words) {
  if (words.size() < 2) return 1;
  std::optional<OptionShape> shape = global_options_of(program_name(words[0]));
  if (!shape) return 1;
  OptionReader reader(words, 1, *shape);
  Option option;
  while (reader.next(option)) {
  }
  return reader.at() < words.size() ? reader.at() : 1;  // `git --version` has no subcommand
}

std::vector<Word> without_global_options(const std::vector<Word>& words) {
  size_t first = first_behind_global_options(words);
  if (first == 1) return words;
  std::vector<Word> shorter{words[0]};
  shorter.insert(shorter.end(), words.begin() + static_cast<long>(first), words.end());
  return shorter;
}

std::vector<Word> without_global_options(const Act& act) {
  return without_global_options(act.words);
}

}  // namespace ringwall::shell
