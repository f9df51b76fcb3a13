// For tests: a review of a real folder whose layer the kernel's own overlayfs writes.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <map>
#include <sstream>
#include <string>

#include "base/file.h"
#include "changes/changes_testing.h"
#include "changes/entry.h"
#include "review/apply.h"
#include "review/apply_choice.h"

namespace ringwall::review {

using changes::read_text;
using changes::write_text;
using Picture = std::map<std::string, std::string>;

class ApplyLab {
 public:
  explicit ApplyLab(const std::string& place = "/tmp") : top_(place) {
    for (const char* folder : {"/real", "/view"})
      EXPECT_EQ(mkdir((top_.path() + folder).c_str(), 0755), 0);
  }

  std::string real(const std::string& path = "") const { return top_.path() + "/real/" + path; }
  std::string upper(const std::string& path = "") const {
    return reviews() + "/app-1/0/upper/" + path;
  }
  std::string reviews() const { return top_.path() + "/state/reviews"; }
  Picture now() const { return read_picture(real()); }
  const Review& review() const { return review_; }

  // The run: `act` in the view of the real folder as it is now. False if it could not be done.
  bool run(const std::function<void()>& act) {
    if (!begin()) return false;
    // It is looked at in a mount of its own: an older one gives names of one file other numbers.
    std::string seen = top_.path() + "/seen";
    bool is_done = is_done_inside(act) && is_done_inside([&] { keep(read_picture("."), seen); });
    if (is_done) view_ = kept_picture(seen);
    // What is changed outside from here on has a later time.
    usleep(10'000);
    return is_done;
  }
  // What the run saw in the end.
  const Picture& view() const { return view_; }

  ApplyPlaces places() {
    if (!folder_) folder_ = std::move(*open_review(reviews(), review_.name));
    if (!journals_) journals_ = std::move(*file::make_dirs(top_.path() + "/state/journals"));
    return {folder_.get(), journals_.get()};
  }
  Result<std::vector<ApplyTree>> items() {
    TRY_ASSIGN(files::ProtectedNames names, files::ProtectedNames::compile({}, {}));
    return read_items(places().folder, review_, names);
  }
  Result<Applied> apply_all(const ApplyOptions& options = {}) {
    TRY_ASSIGN(std::vector<ApplyTree> trees, items());
    choose_all(trees);
    complete_choice(trees);
    return apply(trees, options);
  }
  // With what whoever calls it does: a review of which nothing is left goes.
  Result<Applied> apply(std::vector<ApplyTree>& trees, const ApplyOptions& options = {}) {
    TRY_ASSIGN(Applied applied, apply_chosen(places(), trees, options));
    TRY(close(applied));
    return applied;
  }
  Result<Applied> resume() {
    TRY_ASSIGN(Applied applied, resume_apply(places(), review_));
    if (!applied.trees.empty()) TRY(close(applied));
    return applied;
  }
  Result<Applied> apply_paths(const std::vector<std::string>& relative) {
    std::vector<std::string> paths;
    for (const std::string& path : relative)
      paths.push_back(top_.path() + "/real/" + path);
    TRY_ASSIGN(std::vector<ApplyTree> trees, items());
    TRY(choose_paths(trees, paths));
    complete_choice(trees);
    return apply(trees);
  }
  bool is_gone() const { return !has_review(reviews(), review_.name); }

  // Type, mode, time, content, attributes and names of one file.
  static Picture read_picture(const std::string& top) {
    Picture picture;
    std::map<std::string, std::string> paths;
    std::map<ino_t, std::string> first;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(top))
      paths[entry.path().lexically_relative(top)] = entry.path();
    for (const auto& [relative, path] : paths) {
      struct stat seen;
      if (lstat(path.c_str(), &seen) < 0) continue;
      std::ostringstream out;
      out << std::oct << seen.st_mode << std::dec;
      if (S_ISREG(seen.st_mode)) {
        out << " [" << read_text(path) << "]";
      }
      if (S_ISLNK(seen.st_mode)) out << " -> " << std::filesystem::read_symlink(path).string();
      // Of a folder it comes from what lies in it.
      if (!S_ISDIR(seen.st_mode)) out << " " << changes::facts_of(seen).modified;
      char value[64];
      ssize_t size = lgetxattr(path.c_str(), "user.colour", value, sizeof value);
      if (size > 0) out << " colour " << std::string(value, static_cast<size_t>(size));
      auto [known, is_first] = first.try_emplace(seen.st_ino, relative);
      if (S_ISREG(seen.st_mode) && !is_first) out << " = " << known->second;
      picture[relative] = out.str();
    }
    return picture;
  }

 private:
  Status close(const Applied& applied) {
    for (size_t at = 0; at < review_.trees.size(); at++) {
      auto journal = file::open_beneath(places().journals, std::to_string(at), O_RDONLY);
      Fd real = changes::open_folder(this->real());
      if (journal) TRY(changes::forget(real.get(), journal->get()));
    }
    TRY(close_applied(reviews(), places().folder, review_, applied));
    return {};
  }
  bool begin() {
    usleep(10'000);
    Fd folder = changes::open_folder(real());
    struct stat seen;
    auto stamp = changes::read_clock_of(folder.get());
    if (fstat(folder.get(), &seen) < 0 || !stamp) return false;
    std::string path = top_.path() + "/real";
    review_ = {"app-1", path, {"sh"}, 1, {{path, "0", seen.st_dev, seen.st_ino, *stamp}}, {}, {}};
    return make_review(reviews(), review_).has_value();
  }
  bool is_done_inside(const std::function<void()>& act) const {
    pid_t child = fork();
    if (child == 0) {
      bool is_in = enter();
      try {
        if (is_in) act();
      } catch (const std::exception& error) {
        is_in = false;  // whatever happens, the test must not go on in two processes
      }
      _exit(is_in && !::testing::Test::HasFailure() ? 0 : 1);
    }
    int status = 0;
    return waitpid(child, &status, 0) == child && status == 0;
  }
  bool enter() const {
    std::string uid = std::to_string(geteuid()), gid = std::to_string(getegid());
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0) return false;
    bool is_mapped =
        file::write_existing("/proc/self/setgroups", "deny").has_value() &&
        file::write_existing("/proc/self/uid_map", uid + " " + uid + " 1").has_value() &&
        file::write_existing("/proc/self/gid_map", gid + " " + gid + " 1").has_value();
    std::string layer = reviews() + "/app-1/0";
    std::string options = "lowerdir=" + top_.path() + "/real,upperdir=" + layer +
                          "/upper,workdir=" + layer + "/work,userxattr";
    std::string view = top_.path() + "/view";
    umask(022);
    return is_mapped && mount("overlay", view.c_str(), "overlay", 0, options.c_str()) == 0 &&
           chdir(view.c_str()) == 0;
  }
  static void keep(const Picture& picture, const std::string& file) {
    std::string text;
    for (const auto& [path, words] : picture)
      text += path + '\1' + words + '\1';
    std::ofstream(file) << text;
  }
  static Picture kept_picture(const std::string& file) {
    Picture picture;
    std::istringstream in(read_text(file));
    for (std::string path, words; std::getline(in, path, '\1') && std::getline(in, words, '\1');)
      picture[path] = words;
    return picture;
  }

  changes::TemporaryFolder top_;
  Review review_;
  Picture view_;
  Fd folder_, journals_;
};

}  // namespace ringwall::review
