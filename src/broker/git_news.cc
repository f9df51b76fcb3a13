#include "broker/git_news.h"

#include <cstring>

#include "base/fixed_message.h"
#include "base/path.h"
#include "git/place.h"

namespace ringwall::broker {

BrokerNotice made_remote_notice(const std::string& whole, const git::AddedRemote& remote) {
  std::string folder = path::parent(whole);
  bool is_module = git::is_of_submodule(folder);
  if (path::basename(folder) == ".git") folder = path::parent(folder);
  BrokerNotice notice = remote_notice(remote.name, remote.address,
                                      is_module ? RemoteKind::of_module : RemoteKind::of_new_one);
  // Of one that is too long the end tells more.
  constexpr size_t kMost = sizeof notice.text - 1;
  fixed::put(notice.text, folder.size() <= kMost
                              ? folder
                              : "..." + folder.substr(folder.size() - kMost + strlen("...")));
  return notice;
}

void GitNews::tell_added() {
  for (const git::AddedRemote& added : desk_.take_added())
    line_.say(remote_notice(added.name, added.address,
                            added.is_submodule ? RemoteKind::of_submodule : RemoteKind::added));
}

void GitNews::tell_made() {
  for (const Vetter::MadeRemote& made : vetter_.take_made_remotes()) {
    std::string whole = trees_[made.tree].whole(made.config);
    bool is_known = guards_.is_kept(made.tree, made.config) ||
                    desk_.knows(made.remote.address, git::is_of_submodule(path::parent(whole)));
    if (!is_known) line_.say(made_remote_notice(whole, made.remote));
  }
}

void GitNews::tell_in_the_end(const std::vector<StagedWatch::Staged>& staged) {
  for (const auto& [link, end] : vetter_.leading_out())
    line_.say(notice_of(BrokerNotice::Type::leads_out, link, end));
  for (const StagedWatch::Staged& one : staged)
    line_.say(notice_of(BrokerNotice::Type::staged, one.index, one.names, !one.is_compared));
  for (const git::OtherName& one : desk_.other_names())
    line_.say(notice_of(BrokerNotice::Type::other_name, one.branch, one.ref));
  for (const std::string& name : desk_.replacements())
    line_.say(notice_of(BrokerNotice::Type::replaces, name, ""));
}

}  // namespace ringwall::broker
