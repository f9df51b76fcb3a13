#include "git/config_desk.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "base/channel.h"
#include "base/fixed_message.h"

namespace ringwall::git {

void GitConfigDesk::take_ask() {
  auto message = channel::receive(hand_.get(), MSG_DONTWAIT);
  auto ask = message && !message->bytes.empty() ? parse_update_ask(message->bytes)
                                                : std::unexpected(Error{"gone"});
  if (!ask) {
    hand_.close();
    return;
  }
  ConfigUpdateAnswer answer = judge(*ask, message->fds);
  if (!channel::send(hand_.get(), fixed::bytes_of(answer))) hand_.close();
}

ConfigUpdateAnswer GitConfigDesk::judge(const ConfigUpdateAsk& ask, const std::vector<Fd>& fds) {
  ConfigUpdateAnswer answer{ask.ticket, EACCES};
  if (ask.config >= configs_.size() || fds.size() != 1) return answer;
  auto wanted = read_wanted_config(fds[0].get());
  if (!wanted) return answer;
  auto updated = configs_[ask.config].update(*wanted);
  answer.err = updated ? 0 : updated.error().err;
  if (!updated) snprintf(answer.text, sizeof answer.text, "%s", updated.error().text.c_str());
  if (updated) added_.insert(added_.end(), updated->begin(), updated->end());
  return answer;
}

std::vector<std::string> GitConfigDesk::local_ways() const {
  std::vector<std::string> all;
  for (const ProtectedGitConfig& config : configs_) {
    std::vector<std::string> ways = config.local_ways();
    all.insert(all.end(), ways.begin(), ways.end());
  }
  return all;
}

bool GitConfigDesk::knows(std::string_view address, bool of_submodule) const {
  return std::ranges::any_of(configs_, [&](const ProtectedGitConfig& config) {
    return config.knows(address, of_submodule);
  });
}

ProtectedGitConfig* GitConfigDesk::find(std::string_view path) {
  auto found = std::ranges::find_if(
      configs_, [&](const ProtectedGitConfig& config) { return config.path() == path; });
  return found == configs_.end() ? nullptr : &*found;
}

std::vector<OtherName> GitConfigDesk::other_names() const {
  std::vector<OtherName> all;
  for (const ProtectedGitConfig& config : configs_) {
    for (OtherName& one : config.other_names())
      all.push_back(std::move(one));
  }
  return all;
}

std::vector<std::string> GitConfigDesk::replacements() const {
  std::vector<std::string> all;
  for (const ProtectedGitConfig& config : configs_) {
    for (std::string& one : config.replacements())
      all.push_back(std::move(one));
  }
  return all;
}

void GitConfigDesk::finish() {
  for (ProtectedGitConfig& config : configs_)
    config.finish();
}

}  // namespace ringwall::git
