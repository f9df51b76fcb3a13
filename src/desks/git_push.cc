#include "desks/git_push.h"

#include <cstdlib>
#include <optional>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"

namespace ringwall::desks {
namespace {

constexpr int kPatience = 5000;  // milliseconds for ssh-keygen
constexpr uint16_t kSshPort = 22;

std::optional<std::string> decode_base64(std::string_view text) {
  std::string out;
  uint32_t bits = 0;
  int count = 0;
  while (text.ends_with('='))
    text.remove_suffix(1);
  for (char c : text) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xff);
  }
  return out;
}

// "ssh-ed25519 AAAA… comment"
Result<std::string> read_public_key(const std::string& path) {
  std::string file_name = path.ends_with(".pub") ? path : path + ".pub";
  TRY_ASSIGN(std::string line, file::read(file_name, 64 << 10));
  std::vector<std::string> words = text::split(line.substr(0, line.find('\n')), ' ');
  auto key = words.size() >= 2 ? decode_base64(words[1]) : std::nullopt;
  if (!key || key->empty())
    return fail(text::quote(file_name) + " is no public key of ssh", "name one: --git-key FILE");
  return *key;
}

// What known_hosts holds of one host, under its plain name.
void add_host(PlannedPush& push, const PlannedPush::KnownHost& host, const std::string& file) {
  std::string name =
      host.port == kSshPort ? host.name : "[" + host.name + "]:" + std::to_string(host.port);
  auto found = processes::run_outside(
      {{"ssh-keygen", "-F", name, "-f", file}, push.variables, kPatience}, "");
  if (!found) return;  // it is not there
  for (const std::string& line : text::split(*found, '\n')) {
    if (line.empty() || line[0] == '#' || line[0] == '@') continue;
    std::vector<std::string> words = text::split(line, ' ');
    auto key = words.size() >= 3 ? decode_base64(words[2]) : std::nullopt;
    if (!key) continue;
    push.rules.host_keys.push_back(*key);
    push.key_hosts.push_back(host);
    push.known_hosts += name + " " + words[1] + " " + words[2] + "\n";
  }
}

void find_host_keys(PlannedPush& push, const net::EgressRules& rules, const std::string& home) {
  std::vector<std::string> files = {path::join(home, ".ssh/known_hosts"),
                                    "/etc/ssh/ssh_known_hosts"};
  for (const net::EgressRule& rule : rules.allow) {
    const policy::HostPattern& host = rule.pattern;
    if (host.kind != policy::HostPattern::Kind::name) continue;  // each is granted by its name
    bool one_port = host.first_port == host.last_port;
    bool plain = host.first_port <= kSshPort && kSshPort <= host.last_port;
    for (const std::string& file : files) {
      if (!file::exists(file)) continue;
      if (plain) add_host(push, {host.name, kSshPort}, file);
      if (one_port && !plain) add_host(push, {host.name, host.first_port}, file);
    }
  }
}

}  // namespace

std::vector<std::string> PlannedPush::sockets() const {
  if (!on) return {};
  if (!has_agent) return {kCredentialSocket};
  return {kCredentialSocket, kAgentSocket};
}

Result<PlannedPush> plan_git_push(const policy::Policy::Git& git, const net::EgressRules& rules,
                                  const std::string& home,
                                  const processes::IsInReach& is_in_reach) {
  PlannedPush push;
  push.on = git.push.on;
  if (!push.on) return push;
  if (rules.allow.empty())
    return fail("git.push (" + git.push.origin.text() + ") and no host that may be reached",
                "grant one: --allow github.com:22 for ssh, --allow github.com for https");
  push.variables = processes::variables_for_outside(is_in_reach);
  if (git.ssh_key.value.empty()) return push;
  const char* agent = getenv("SSH_AUTH_SOCK");
  if (agent == nullptr || *agent == '\0')
    return fail("git.ssh_key is named and no ssh-agent runs",
                "start one: eval $(ssh-agent); ssh-add");
  push.has_agent = true;
  push.agent = agent;
  TRY_ASSIGN(std::string key, read_public_key(git.ssh_key.value));
  push.rules.keys.push_back(std::move(key));
  find_host_keys(push, rules, home);
  if (push.rules.host_keys.empty())
    return fail("no granted host is in known_hosts, so no login by ssh could be allowed",
                "grant it with its port (--allow github.com:22), and log in once outside");
  return push;
}

}  // namespace ringwall::desks
