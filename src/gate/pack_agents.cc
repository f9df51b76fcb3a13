// credentials, pipe-to-shell, nested-agents and self-modification.
#include "gate/pack_tables.h"

namespace ringwall::gate {
namespace {

using enum Answer;
using Use = PackPath::Use;

// clang-format off

constexpr std::string_view kAskPerson = "leave it to the person";
constexpr std::string_view kSecret = "it holds secrets";
constexpr std::string_view kKey = "it is a private key, or a login";
constexpr std::string_view kShows = "it shows a secret";
constexpr std::string_view kUseIt = "use the tool that needs it; it finds its login by itself";
constexpr std::string_view kExample = "read .env.example, or ask the person for the names";

constexpr PackCommand kSecretCommands[] = {
    {"gh|glab auth token", deny, kShows, kUseIt},
    {"gh auth status --show-token|-t", deny, kShows, "without --show-token"},
    {"gcloud auth print-access-token|print-identity-token", deny, kShows, kUseIt},
    {"gcloud auth application-default print-access-token", deny, kShows, kUseIt},
    {"gcloud secrets versions access", ask, kShows, kUseIt},
    {"aws configure get|export-credentials", deny, kShows, kUseIt},
    {"aws sts get-session-token|get-federation-token|assume-role", ask, kShows, kUseIt},
    {"aws secretsmanager|ssm =get-secret-value|get-parameter|get-parameters|get-parameters-by-path", ask, kShows, kUseIt},
    {"az account get-access-token", deny, kShows, kUseIt},
    {"az keyvault secret show|download", ask, kShows, kUseIt},
    {"kubectl|oc get|describe =secret|secrets|secret/*|secrets/*|secrets,*|secret,*|*,secrets|*,secret|"
     "*,secrets,*|*,secret,*", ask, kShows, kUseIt},
    {"kubectl config view --raw", deny, kShows, "without --raw"},
    {"oc whoami -t|--show-token", deny, kShows, kUseIt},
    {"security find-generic-password|find-internet-password|dump-keychain|export", deny, kShows, kUseIt},
    {"secret-tool lookup|search", deny, kShows, kUseIt},
    {"keyctl read|print|pipe", deny, kShows, kUseIt},
    {"pass|gopass|op|bw|rbw|lpass|doppler|infisical|chamber|sops|ejson|teller|envchain|keepassxc-cli "
     "show|read|get|item|list|secrets|run|decrypt|export|otp|ls",
     ask, kShows, kUseIt},
    {"vault read|kv", ask, kShows, kUseIt},
    {"gpg|gpg2 --export-secret-keys|--export-secret-subkeys", deny, kShows, kUseIt},
    {"docker-credential-*|git-credential-*", deny, kShows, kUseIt},
    {"git credential", deny, kShows, kUseIt},
    {"git credential-cache get|store|erase", deny, kShows, kUseIt},
    {"git credential-store|credential-manager|credential-osxkeychain|credential-libsecret", deny, kShows, kUseIt},
    {"printenv =*KEY*|*TOKEN*|*SECRET*|*PASSW*|*CREDENTIAL*", ask, kShows, kUseIt},
    {"heroku =config|config:get", ask, kShows, kUseIt},
    {"vercel|netlify|railway|fly|flyctl =env:get|env:list|env|variables|secrets", ask, kShows, kUseIt},
    {"ssh-keygen -y", ask, "it reads a private key", kUseIt},
    {"gcore|mimipenguin|lazagne|trufflehog", ask, "it looks for secrets in memory", kAskPerson},
};

constexpr std::string_view kPublicKeys = "*.pub|known_hosts|known_hosts.old|config|authorized_keys|config.d";
constexpr std::string_view kNoSecrets =
    ".env.example|.env.sample|.env.template|.env.dist|.env.defaults|.env.default|.env.schema|.env.tpl|"
    ".env.*.example|.env.*.sample|.env.*.template|.env.test|.env.ci";

constexpr PackPath kSecretPaths[] = {
    {"//**/.ssh/**", Use::read, deny, kKey, kUseIt, kPublicKeys},
    {"//**/id_rsa", Use::read, deny, kKey, kUseIt},
    {"//**/id_ed25519", Use::read, deny, kKey, kUseIt},
    {"//**/id_ecdsa", Use::read, deny, kKey, kUseIt},
    {"//**/id_dsa", Use::read, deny, kKey, kUseIt},
    {"//**/.gnupg/**", Use::read, deny, kKey, kUseIt, "gpg.conf|gpg-agent.conf"},
    {"//**/.aws/credentials", Use::read, deny, kKey, kUseIt},
    {"//**/.aws/sso/**", Use::read, deny, kKey, kUseIt},
    {"//**/.aws/cli/cache/**", Use::read, deny, kKey, kUseIt},
    {"//**/.config/gcloud/**", Use::read, deny, kKey, kUseIt},
    {"//**/.azure/**", Use::read, deny, kKey, kUseIt},
    {"//**/.kube/config", Use::read, deny, kKey, kUseIt},
    {"//**/.docker/config.json", Use::read, deny, kKey, kUseIt},
    {"//**/.config/containers/auth.json", Use::read, deny, kKey, kUseIt},
    {"//**/.netrc", Use::read, deny, kKey, kUseIt},
    {"//**/_netrc", Use::read, deny, kKey, kUseIt},
    {"//**/.git-credentials", Use::read, deny, kKey, kUseIt},
    {"//**/.config/git/credentials", Use::read, deny, kKey, kUseIt},
    {"//**/.config/gh/hosts.yml", Use::read, deny, kKey, kUseIt},
    {"//**/.config/glab-cli/**", Use::read, deny, kKey, kUseIt},
    {"//**/.config/hub", Use::read, deny, kKey, kUseIt},
    {"~/.npmrc", Use::read, ask, kSecret, "npm config list shows it without the token"},
    {"~/.yarnrc.yml", Use::read, ask, kSecret, kUseIt},
    {"//**/.pypirc", Use::read, deny, kKey, kUseIt},
    {"~/.gem/credentials", Use::read, deny, kKey, kUseIt},
    {"~/.cargo/credentials", Use::read, deny, kKey, kUseIt},
    {"~/.cargo/credentials.toml", Use::read, deny, kKey, kUseIt},
    {"~/.m2/settings.xml", Use::read, ask, kSecret, kUseIt},
    {"~/.gradle/gradle.properties", Use::read, ask, kSecret, kUseIt},
    {"~/.terraform.d/credentials.tfrc.json", Use::read, deny, kKey, kUseIt},
    {"~/.terraformrc", Use::read, ask, kSecret, kUseIt},
    {"//**/.vault-token", Use::read, deny, kKey, kUseIt},
    {"//**/.pgpass", Use::read, deny, kKey, kUseIt},
    {"~/.my.cnf", Use::read, deny, kKey, kUseIt},
    {"~/.password-store/**", Use::read, deny, kKey, kUseIt},
    {"~/.local/share/keyrings/**", Use::read, deny, kKey, kUseIt},
    {"~/.mozilla/**", Use::read, deny, "it holds logins of the browser", kAskPerson},
    {"~/.config/google-chrome/**", Use::read, deny, "it holds logins of the browser", kAskPerson},
    {"~/.config/chromium/**", Use::read, deny, "it holds logins of the browser", kAskPerson},
    {"~/.config/BraveSoftware/**", Use::read, deny, "it holds logins of the browser", kAskPerson},
    {"~/.config/Signal/**", Use::read, deny, kSecret, kAskPerson},
    {"~/.thunderbird/**", Use::read, deny, "it holds mail and logins", kAskPerson},
    {"~/.claude/.credentials.json", Use::read, deny, kKey, kUseIt},
    {"~/.codex/auth.json", Use::read, deny, kKey, kUseIt},
    {"~/.gemini/oauth_creds.json", Use::read, deny, kKey, kUseIt},
    {"~/.config/github-copilot/**", Use::read, deny, kKey, kUseIt},
    {"~/.local/share/opencode/auth.json", Use::read, deny, kKey, kUseIt},
    {"//**/*.kdbx", Use::read, deny, kSecret, kAskPerson},
    {"//**/.htpasswd", Use::read, ask, kSecret, kAskPerson},
    {"//**/.env", Use::read, ask, kSecret, kExample},
    {"//**/.env.*", Use::read, ask, kSecret, kExample, kNoSecrets},
    {"//**/.envrc", Use::read, ask, kSecret, kExample},
    {"//**/.dev.vars", Use::read, ask, kSecret, kExample},
    {"//**/credentials.json", Use::read, ask, kSecret, kUseIt},
    {"//**/service-account*.json", Use::read, ask, kSecret, kUseIt},
    {"//**/secrets.y*ml", Use::read, ask, kSecret, kUseIt},
    {"//**/master.key", Use::read, deny, kKey, kUseIt},
    {"//**/*.tfstate", Use::read, ask, "it holds secrets in plain text", "terraform show hides them"},
    {"~/.bash_history", Use::read, ask, "people type secrets", kAskPerson},
    {"~/.zsh_history", Use::read, ask, "people type secrets", kAskPerson},
    {"~/.python_history", Use::read, ask, "people type secrets", kAskPerson},
    {"~/.psql_history", Use::read, ask, "people type secrets", kAskPerson},
    {"//etc/shadow", Use::read, deny, kSecret, kAskPerson},
    {"//etc/gshadow", Use::read, deny, kSecret, kAskPerson},
    {"//etc/ssh/ssh_host_*_key", Use::read, deny, kKey, kAskPerson},
    {"//etc/ssl/private/**", Use::read, deny, kKey, kAskPerson},
    {"//etc/kubernetes/*.conf", Use::read, deny, kKey, kAskPerson},
    {"//var/run/secrets/**", Use::read, ask, kSecret, kAskPerson},
    {"//proc/*/environ", Use::read, deny, "it holds the variables of another program, secrets too",
     "printenv NAME shows one of its own"},
    {"//proc/*/mem", Use::both, deny, "it is another program's memory", kAskPerson},
};

constexpr std::string_view kForeign = "code from elsewhere would run without anybody having seen it";
constexpr std::string_view kDownload = "save it to a file, read it, then run it";
constexpr std::string_view kHidden = "the code that would run is hidden in another encoding";

constexpr PackCommand kPipeCommands[] = {
    {"sh|bash|zsh|dash|ksh|mksh|ash|fish|csh|tcsh|busybox|python|pypy|node|nodejs|deno|bun|perl|ruby|php|lua|"
     "tclsh|osascript|pwsh|powershell|Rscript|ts-node|tsx|make|gmake|psql|mysql|sqlite3|source|.|eval|exec <fetch",
     deny, kForeign, kDownload},
    {"sh|bash|zsh|dash|ksh|mksh|ash|fish|csh|tcsh|busybox|python|pypy|node|nodejs|deno|bun|perl|ruby|php|lua|"
     "tclsh|osascript|pwsh|source|.|eval|exec <decode",
     deny, kHidden, "write the command out"},
    {"sh|bash|zsh|dash|ksh|mksh|ash|fish|csh|tcsh|python|pypy|node|nodejs|perl|ruby|php <any", ask,
     "it runs whatever the program before it writes", "save it to a file, or write the command out"},
    {"python|pypy|node|nodejs|deno|bun|perl|ruby|php|lua|osascript|pwsh|Rscript <unknown", ask,
     "the code is only known when it runs", "save it to a file, or write it out"},
    {"sh|bash|zsh|dash|ksh|mksh|ash|fish|csh|tcsh|busybox|python|perl|ruby|php|source|.|eval <socket", deny,
     "whoever is at the other end would say what runs", kAskPerson},
    {"exec <socket", ask, "whoever is at the other end may say what runs", "use curl"},
    {"nc|ncat|netcat -e|--exec|--sh-exec|--lua-exec", deny, "whoever is at the other end would say what runs", kAskPerson},
    {"ncat|netcat -c", ask, "whoever is at the other end may say what runs", kAskPerson},
    {"socat ~exec:*|system:*|shell:*", deny, "whoever is at the other end would say what runs", kAskPerson},
    {"xargs|parallel <fetch", ask, "what was fetched becomes part of a command", kDownload},
};

constexpr std::string_view kNested = "an agent in it would ask nobody";
constexpr std::string_view kWithout = "start it without that flag";

constexpr PackCommand kNestedCommands[] = {
    {"claude|claude-code --dangerously-skip-permissions|--allow-dangerously-skip-permissions|"
     "--permission-mode=bypassPermissions|--permission-mode=auto|--permission-mode=dontAsk",
     deny, kNested, kWithout},
    {"claude|claude-code --mcp-config|--settings|--plugin-dir|--allowedTools|--allowed-tools|"
     "--setting-sources|--bare",
     ask, "it would start with other settings", kWithout},
    {"codex --yolo|--dangerously-bypass-approvals-and-sandbox|--dangerously-bypass-hook-trust|--full-auto|"
     "--sandbox=danger-full-access|-s=danger-full-access|--ask-for-approval=never|-a=never",
     deny, kNested, kWithout},
    {"codex =sandbox_mode=*danger*|approval_policy=*never*", deny, kNested, kWithout},
    {"gemini|gemini-cli|qwen|qwen-code|iflow --yolo|-y|--approval-mode=yolo", deny, kNested, kWithout},
    {"copilot --allow-all-tools|--allow-all-paths|--allow-all|--yolo|--allow-all-urls", deny, kNested, kWithout},
    {"cursor-agent|cursor --force|-f|--yolo", deny, kNested, kWithout},
    {"aider --yes-always|--yes", deny, kNested, kWithout},
    {"amp --dangerously-allow-all", deny, kNested, kWithout},
    {"opencode|crush --yolo|-y|--dangerously-skip-permissions", deny, kNested, kWithout},
    {"goose =auto", ask, kNested, kWithout},
    {"cline|roo|kilo|droid|auggie|kiro|q|plandex|gptme|openhands --yolo|-y|--auto-approve|--trust-all-tools|"
     "--no-interactive|--skip-permissions-unsafe|--full-auto|--no-confirm",
     deny, kNested, kWithout},
    {"npx|bunx|pnpx|pnpm|yarn|bun|uvx|pipx --dangerously-skip-permissions|--yolo|"
     "--dangerously-bypass-approvals-and-sandbox|--allow-all-tools|--yes-always",
     deny, kNested, kWithout},
};

constexpr std::string_view kOwn = "it would change what watches over the agent";
constexpr std::string_view kOwnSettings = "the person changes these, outside";

constexpr PackCommand kSelfCommands[] = {
    {"ringwall allow|deny|approve|reject|trust|kill|stop|pause|resume|rm|clean|quarantine|undo|attach|exec|run|learn|"
     "import|guard|programs|hook|mcp",
     deny, kOwn, kOwnSettings},
    {"ringwall-guard", deny, kOwn, kOwnSettings},
    {"rm|mv|rmdir|unlink|shred @agent", deny, kOwn, kOwnSettings},
    {"find -delete !-prune @agent", deny, kOwn, kOwnSettings},
    {"chmod|chown|chattr|setfacl @agent", ask, kOwn, kOwnSettings},
    {"ln >agent", deny, kOwn, kOwnSettings},
    {"cp|rsync -r|-R|-a|--recursive|--archive >agent", ask, "settings of the agent may be among it", "name the files"},
    {"tar|bsdtar -x|--extract|--get =.claude|.claude/|*/.claude|*/.claude/|*/.ssh|*/.ssh/|.codex|*/.codex|.gemini|*/.gemini|"
     ".cursor|*/.cursor",
     ask, "settings may be among it", "unpack it elsewhere and name the files"},
    {"tar|bsdtar x*|zx*|jx*|Jx*|vx* =.claude|.claude/|*/.claude|*/.claude/|*/.ssh|*/.ssh/|.codex|*/.codex|.gemini|*/.gemini|"
     ".cursor|*/.cursor",
     ask, "settings may be among it", "unpack it elsewhere and name the files"},
    {"unzip -d =.claude|.claude/|*/.claude|*/.claude/|*/.ssh|*/.ssh/|.codex|*/.codex|.gemini|*/.gemini|"
     ".cursor|*/.cursor",
     ask, "settings may be among it", "unpack it elsewhere and name the files"},
    {"git checkout|restore @agent", deny, kOwn, kOwnSettings},
    {"pkill|killall|kill|xkill|skill @ringwall", deny, kOwn, kOwnSettings},
    {"git config #3 ~core.hookspath|core.sshcommand|core.fsmonitor|core.editor|core.pager|core.askpass|core.gitproxy|"
     "core.attributesfile|core.worktree|alias.*|credential.*|filter.*|diff.external|diff.*.command|diff.*.textconv|"
     "merge.*.driver|mergetool.*|difftool.*|pager.*|url.*|include.*|includeif.*|gpg.*|sequence.editor|uploadpack.*|"
     "protocol.*|http.*proxy|http.*sslverify|remote.*.url|remote.*.pushurl|remote.*.push|remote.*.mirror|"
     "remote.*.uploadpack|remote.*.receivepack|remote.*.vcs|branch.*.pushremote|clean.requireforce|init.templatedir "
     "!--get|--get-all|--get-regexp|--list|-l",
     ask, "git would run another program by it, or go elsewhere", kAskPerson},
    {"git config #3 --global|--system !--get|--get-all|--get-regexp|--list|-l", ask,
     "it holds for every repository", "git config without --global holds for this one"},
    {"git config --global|--system --unset|--unset-all|--remove-section|--rename-section|--replace-all|--add", ask,
     "it holds for every repository", "git config without --global holds for this one"},
    {"git config #4 --file|-f|--blob !--get|--get-all|--get-regexp|--list|-l", ask,
     "it changes settings of git", kAskPerson},
    {"git config --edit|-e", ask, "it changes settings of git", kAskPerson},
    {"git &--exec-path=*", ask, "git would run other programs", kAskPerson},
    {"claude|claude-code config|mcp|plugin|update|install|migrate-installer|setup-token add|set|add-json|install|"
     "remove|enable|marketplace|add-from-claude-desktop",
     ask, kOwn, kOwnSettings},
    {"codex mcp add|remove|login", ask, kOwn, kOwnSettings},
    {"gemini mcp|extensions|hooks add|remove|install|enable|disable|uninstall", ask, kOwn, kOwnSettings},
};

constexpr PackPath kSelfPaths[] = {
    {"//**/.claude/settings.json", Use::write, deny, kOwn, kOwnSettings},
    {"//**/.claude/settings.local.json", Use::write, deny, kOwn, kOwnSettings},
    {"//**/.claude/hooks/**", Use::write, deny, kOwn, kOwnSettings},
    {"//**/.claude/plugins/**", Use::write, ask, kOwn, kOwnSettings},
    {"~/.claude.json", Use::write, deny, kOwn, kOwnSettings},
    {"//etc/claude-code/**", Use::write, deny, kOwn, kOwnSettings},
    {"//**/.mcp.json", Use::write, ask, "it names programs that the agent starts", kOwnSettings},
    {"//**/.codex/config.toml", Use::write, deny, kOwn, kOwnSettings},
    {"//**/.codex/hooks.json", Use::write, deny, kOwn, kOwnSettings},
    {"//**/.codex/rules/**", Use::write, deny, kOwn, kOwnSettings},
    {"//etc/codex/**", Use::write, deny, kOwn, kOwnSettings},
    {"//**/.gemini/settings.json", Use::write, deny, kOwn, kOwnSettings},
    {"//**/.gemini/policies/**", Use::write, deny, kOwn, kOwnSettings},
    {"//**/.cursor/hooks.json", Use::write, deny, kOwn, kOwnSettings},
    {"//**/.cursor/mcp.json", Use::write, ask, "it names programs that the agent starts", kOwnSettings},
    {"//**/.cursor/cli.json", Use::write, deny, kOwn, kOwnSettings},
    {"//etc/cursor/**", Use::write, deny, kOwn, kOwnSettings},
    {"//**/.github/hooks/**", Use::write, deny, kOwn, kOwnSettings},
    {"//**/.copilot/hooks/**", Use::write, deny, kOwn, kOwnSettings},
    {"//**/.copilot/config.json", Use::write, deny, kOwn, kOwnSettings},
    {"//etc/github-copilot/**", Use::write, deny, kOwn, kOwnSettings},
    {"//**/.opencode/**", Use::write, ask, kOwn, kOwnSettings},
    {"//**/opencode.json", Use::write, ask, kOwn, kOwnSettings},
    {"//**/.ringwall.toml", Use::write, deny, kOwn, kOwnSettings},
    {"~/.config/ringwall/**", Use::write, deny, kOwn, kOwnSettings},
    {"~/.local/state/ringwall/**", Use::both, deny, kOwn, kOwnSettings},
    {"//etc/ringwall/**", Use::write, deny, kOwn, kOwnSettings},
    {"//**/.git/hooks/**", Use::write, ask, "git runs it", kAskPerson, "*.sample"},
    {"//**/.git/config", Use::write, ask, "git runs programs by it", "git config NAME VALUE"},
    {"~/.gitconfig", Use::write, ask, "git runs programs by it", kAskPerson},
    {"~/.config/git/**", Use::write, ask, "git runs programs by it", kAskPerson},
};
// clang-format on

}  // namespace

constexpr Pack kCredentials{"credentials", "keys, logins and other secrets", kSecretCommands,
                            kSecretPaths};
constexpr Pack kPipeToShell{"pipe-to-shell", "code that is fetched or decoded, and run unseen",
                            kPipeCommands};
constexpr Pack kNestedAgents{"nested-agents", "agents that are told to ask nobody",
                             kNestedCommands};
constexpr Pack kSelfModification{"self-modification",
                                 "the agent's own hooks and settings, git's, and Ringwall",
                                 kSelfCommands, kSelfPaths};

}  // namespace ringwall::gate
