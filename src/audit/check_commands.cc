// What a command looks like that fetches code and runs it, or takes secrets away. A guard rail for
// people who read the report: who hides better is not found, and no wall depends on it.
#include <algorithm>
#include <array>

#include "audit/checks.h"
#include "base/text.h"

namespace ringwall::audit {
namespace {

constexpr std::string_view kFetchers[] = {
    "curl ", "wget ",    "iwr ",           "invoke-webrequest",
    "irm ",  "urlopen(", "urllib.request", "requests.get("};
constexpr std::string_view kRunners[] = {
    "| sh",       "|sh",       "| bash",    "|bash",    "| zsh",       "|zsh",
    "| python",   "|python",   "| node",    "|node",    "| sudo",      "|sudo",
    "| iex",      "|iex",      "bash <(",   "sh <(",    "source <(",   "bash -c \"$(",
    "sh -c \"$(", "sh -c '$(", "eval \"$(", "eval $(",  "&& chmod +x", "; chmod +x",
    "exec(",      "eval(",     "&& sh ",    "&& bash ", "; sh ",       "; bash "};
// Enough alone.
constexpr std::string_view kAlone[] = {
    "/dev/tcp/",      "base64 -d |",     "base64 -d|",       "base64 --decode |", "base64 -di |",
    "nc -e",          "ncat -e",         "bash -i >&",       "mkfifo /tmp",       "powershell -enc",
    "powershell -e ", "eval(atob(",      "eval(buffer.from", "exec(base64.",      "exec(__import__",
    "exec(zlib.",     "169.254.169.254", "/etc/shadow",      "xxd -r -p |",
};
constexpr std::string_view kSecrets[] = {"~/.ssh",
                                         "$home/.ssh",
                                         "id_rsa",
                                         "id_ed25519",
                                         ".aws/credentials",
                                         "~/.aws",
                                         "~/.netrc",
                                         "$home/.netrc",
                                         "~/.npmrc",
                                         ".config/gh/hosts",
                                         "~/.claude",
                                         ".gnupg",
                                         "~/.kube",
                                         ".docker/config.json",
                                         "json.stringify(process.env",
                                         "dict(os.environ",
                                         "printenv",
                                         "$(env)",
                                         "env | ",
                                         "/proc/self/environ",
                                         "$npm_token",
                                         "$github_token",
                                         "$anthropic_api_key",
                                         "security find-generic"};
constexpr std::string_view kSenders[] = {"curl ",  "wget ",         "| nc ",         "ncat ",
                                         "dig ",   "nslookup ",     "https.request", "http.request",
                                         "fetch(", "requests.post", "urlopen("};

struct Place {
  size_t at = std::string_view::npos;
  size_t length = 0;
  explicit operator bool() const { return at != std::string_view::npos; }
};

template <size_t N>
Place find_any(std::string_view text, const std::string_view (&signs)[N]) {
  Place first;
  for (std::string_view sign : signs) {
    size_t at = text.find(sign);
    if (at < first.at) first = {at, sign.size()};
  }
  return first;
}

constexpr size_t kLongestCommand = 20'000;
constexpr size_t kNear = 400;  // bytes: what belongs to one command

}  // namespace

std::optional<std::string_view> find_hostile(std::string_view command) {
  command = command.substr(0, kLongestCommand);
  std::string small = text::in_small_letters(command);
  if (Place alone = find_any(small, kAlone)) return command.substr(alone.at, 80);
  Place fetcher = find_any(small, kFetchers);
  if (fetcher) {
    std::string_view rest = std::string_view(small).substr(fetcher.at, kNear);
    // Also what stands around it: eval "$(curl …)", bash <(curl …).
    size_t before = fetcher.at < 16 ? 0 : fetcher.at - 16;
    std::string_view around = std::string_view(small).substr(before, fetcher.at - before);
    if (find_any(rest, kRunners) || find_any(around, kRunners)) return command.substr(before, 120);
  }
  Place secret = find_any(small, kSecrets);
  if (!secret) return std::nullopt;
  // Before it or behind: cat ~/.ssh/id_rsa | curl …, curl -d @~/.ssh/id_rsa …
  size_t from = secret.at < kNear ? 0 : secret.at - kNear;
  if (find_any(std::string_view(small).substr(from, 2 * kNear), kSenders))
    return command.substr(secret.at, 80);
  return std::nullopt;
}

void check_command(const std::string& path, size_t line, std::string_view command,
                   Reporter& reporter) {
  if (auto hostile = find_hostile(command)) reporter.add("RW250", path, line, command);
}

size_t line_at(std::string_view text, size_t at) {
  at = std::min(at, text.size());
  return 1 + static_cast<size_t>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::string host_of(std::string_view url) {
  size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return "";
  std::string_view rest = url.substr(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("/?#"));
  // Behind the last sign, as programs have it: "https://registry.npmjs.org@evil.example/".
  if (size_t at = rest.rfind('@'); at != std::string_view::npos) rest = rest.substr(at + 1);
  if (!rest.starts_with('[')) rest = rest.substr(0, rest.find(':'));
  return text::in_small_letters(rest);
}

std::optional<Setting> read_settings(const RepositoryFile& file, SettingsReader reader,
                                     Reporter& reporter) {
  auto settings = reader(file.content);
  if (settings) return std::move(*settings);
  reporter.add("RW216", file.path, 0, settings.error().what);
  return std::nullopt;
}

}  // namespace ringwall::audit
