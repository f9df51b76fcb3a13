#include "review/review.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <functional>

#include "base/byte_text.h"
#include "base/file.h"
#include "base/path.h"
#include "base/process.h"
#include "base/text.h"
#include "base/tree.h"

namespace ringwall::review {
namespace {

namespace json = boost::json;

constexpr const char* kManifest = "manifest.json";
const std::string kRemoved = ".removed-";
constexpr size_t kMostManifest = 4 << 20;
constexpr int64_t kVersion = 1;

template <typename Of, typename Part = std::identity>
json::array encode_all(const std::vector<Of>& all, Part part = {}) {
  json::array out;
  for (const Of& each : all)
    out.push_back(json::string(text_of_bytes(std::invoke(part, each))));
  return out;
}

// Reads members and remembers the first that is missing or of another type.
class Reader {
 public:
  explicit Reader(const json::object& object) : object_(object) {}

  std::string text(const char* name) {
    const json::value* value = object_.if_contains(name);
    if (value == nullptr || !value->is_string()) return miss(name), "";
    auto decoded = bytes_of_text(value->get_string());
    if (!decoded) miss(name);
    return decoded.value_or("");
  }
  int64_t number(const char* name) {
    const json::value* value = object_.if_contains(name);
    if (value == nullptr) return miss(name), 0;
    if (value->is_uint64()) return static_cast<int64_t>(value->get_uint64());
    if (!value->is_int64()) return miss(name), 0;
    return value->get_int64();
  }
  const json::array& array(const char* name) {
    static const json::array kNone;
    const json::value* value = object_.if_contains(name);
    if (value == nullptr || !value->is_array()) return miss(name), kNone;
    return value->get_array();
  }
  std::vector<std::string> texts(const char* name) {
    std::vector<std::string> out;
    for (const json::value& value : array(name)) {
      auto decoded = value.is_string() ? bytes_of_text(value.get_string()) : std::nullopt;
      if (!decoded) return miss(name), out;
      out.push_back(*decoded);
    }
    return out;
  }
  // Nothing in those that an older version has written.
  std::vector<std::string> later_texts(const char* name) {
    return object_.contains(name) ? texts(name) : std::vector<std::string>();
  }
  Status status() const {
    if (missing_.empty()) return {};
    return fail("the manifest has no proper " + missing_);
  }

 private:
  void miss(const char* name) {
    if (missing_.empty()) missing_ = name;
  }
  const json::object& object_;
  std::string missing_;
};

Result<ReviewTree> parse_tree(const json::value& value) {
  if (!value.is_object()) return fail("the manifest has no proper tree");
  Reader reader(value.get_object());
  ReviewTree tree{reader.text("path"), reader.text("layer"),
                  static_cast<uint64_t>(reader.number("device")),
                  static_cast<uint64_t>(reader.number("inode")), reader.number("stamp")};
  TRY(reader.status());
  bool is_number =
      !tree.layer.empty() && tree.layer.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number || !tree.path.starts_with('/')) return fail("the manifest has no proper tree");
  return tree;
}

// Two lists in step.
Result<std::vector<LinkEnd>> read_ends(Reader& reader) {
  std::vector<std::string> paths = reader.later_texts("ends"), names = reader.later_texts("links");
  if (paths.size() != names.size()) return fail("the manifest has no proper links");
  std::vector<LinkEnd> ends;
  for (size_t i = 0; i < paths.size(); i++)
    ends.push_back({std::move(paths[i]), std::move(names[i])});
  return ends;
}

Status make_layer(int folder, const std::string& layer) {
  TRY_ASSIGN(Fd made, file::make_dirs_at(folder, layer));
  for (const char* part : {"upper", "work"}) {
    if (mkdirat(made.get(), part, 0700) < 0) return fail_errno("cannot make a review's layer");
  }
  return {};
}

// What was left by a removal that was interrupted, and not what somebody removes just now.
Status remove_leftovers(int reviews) {
  TRY_ASSIGN(std::vector<file::Entry> entries, file::list(reviews));
  for (const file::Entry& entry : entries) {
    if (!entry.name.starts_with(kRemoved)) continue;
    pid_t remover = 0;
    const char* end = entry.name.data() + entry.name.size();
    auto parsed = std::from_chars(entry.name.data() + kRemoved.size(), end, remover);
    bool is_known = parsed.ec == std::errc() && remover > 0;
    if (!is_known || !process::is_running(remover)) TRY(tree::remove_at(reviews, entry.name));
  }
  return {};
}

}  // namespace

std::string encode(const Review& review) {
  json::array trees;
  for (const ReviewTree& tree : review.trees) {
    trees.push_back(json::object{{"path", text_of_bytes(tree.path)},
                                 {"layer", tree.layer},
                                 {"device", tree.device},
                                 {"inode", tree.inode},
                                 {"stamp", tree.stamp}});
  }
  json::object out{{"version", kVersion},
                   {"name", text_of_bytes(review.name)},
                   {"workspace", text_of_bytes(review.workspace)},
                   {"command", encode_all(review.command)},
                   {"started", review.started},
                   {"trees", std::move(trees)},
                   {"apart", encode_all(review.apart)},
                   {"nested", encode_all(review.nested)},
                   {"protect", encode_all(review.protect)},
                   {"unprotect", encode_all(review.unprotect)},
                   {"ends", encode_all(review.ends, &LinkEnd::path)},
                   {"links", encode_all(review.ends, &LinkEnd::name)}};
  return json::serialize(out) + "\n";
}

Result<Review> parse_review(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  if (error || !value.is_object()) return fail("the manifest is not JSON");
  Reader reader(value.get_object());
  if (reader.number("version") != kVersion) return fail("the manifest is of another version");
  Review review;
  review.name = reader.text("name");
  review.workspace = reader.text("workspace");
  review.command = reader.texts("command");
  review.started = reader.number("started");
  review.apart = reader.texts("apart");
  review.nested = reader.texts("nested");
  review.protect = reader.later_texts("protect");
  review.unprotect = reader.later_texts("unprotect");
  TRY_ASSIGN(review.ends, read_ends(reader));
  for (const json::value& each : reader.array("trees")) {
    TRY_ASSIGN(ReviewTree tree, parse_tree(each));
    review.trees.push_back(std::move(tree));
  }
  TRY(reader.status());
  return review;
}

Result<Fd> make_review(const std::string& reviews, const Review& review) {
  std::string manifest = encode(review);
  if (manifest.size() > kMostManifest)
    return fail("there are too many protected links and names to be kept for a review",
                "review a smaller folder");
  TRY_ASSIGN(Fd all, file::make_dirs(reviews));
  if (mkdirat(all.get(), review.name.c_str(), 0700) < 0) {
    if (errno == EEXIST) {
      std::string name = text::quote(review.name);
      return fail("a review of the name " + name + " waits for you",
                  "see: ringwall diff " + name + "; then: ringwall apply " + name +
                      ", or: ringwall discard " + name);
    }
    return fail_errno("cannot make the review's folder");
  }
  TRY_ASSIGN(Fd folder, file::open_beneath(all.get(), review.name, O_RDONLY | O_DIRECTORY));
  for (const ReviewTree& tree : review.trees)
    TRY(make_layer(folder.get(), tree.layer));
  // Last: who has a manifest is whole.
  TRY(file::replace_at(folder.get(), kManifest, manifest));
  return folder;
}

Result<Fd> open_review(const std::string& reviews, const std::string& name) {
  bool is_one_name =
      !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
  auto all = file::open(reviews, O_RDONLY | O_DIRECTORY);
  auto folder = is_one_name && all ? file::open_beneath(all->get(), name, O_RDONLY | O_DIRECTORY)
                                   : fail("no such review");
  if (folder) return folder;
  return fail("there is no review of the name " + text::quote(name),
              "see which there are: ringwall history");
}

Result<Review> read_review(int folder) {
  TRY_ASSIGN(Fd manifest, file::open_beneath(folder, kManifest, O_RDONLY | O_NOFOLLOW));
  TRY_ASSIGN(std::string text, file::read_all(manifest.get(), kMostManifest));
  return parse_review(text);
}

bool has_review(const std::string& reviews, const std::string& name) {
  return open_review(reviews, name).has_value();
}

Result<std::vector<Review>> list_reviews(const std::string& reviews) {
  std::vector<Review> found;
  auto all = file::open(reviews, O_RDONLY | O_DIRECTORY);
  if (!all && all.error().err == ENOENT) return found;
  if (!all) return std::unexpected(all.error());
  TRY_ASSIGN(std::vector<file::Entry> entries, file::list(all->get()));
  for (const file::Entry& entry : entries) {
    auto folder = file::open_beneath(all->get(), entry.name, O_RDONLY | O_DIRECTORY);
    auto review = folder ? read_review(folder->get()) : std::unexpected(folder.error());
    if (review && review->name == entry.name) found.push_back(std::move(*review));
  }
  std::ranges::sort(found, [](const Review& a, const Review& b) {
    return std::tie(a.started, a.name) < std::tie(b.started, b.name);
  });
  return found;
}

Result<Review> choose_review(const std::string& reviews, const std::string& name,
                             const std::string& folder) {
  if (!name.empty()) {
    TRY_ASSIGN(Fd opened, open_review(reviews, name));
    return read_review(opened.get());
  }
  TRY_ASSIGN(std::vector<Review> all, list_reviews(reviews));
  if (all.empty())
    return fail("no review waits for you", "start a run with one: ringwall run --review -- …");
  auto is_here = [&](const Review& review) { return path::is_beneath(folder, review.workspace); };
  auto newest = std::find_if(all.rbegin(), all.rend(), is_here);
  if (newest != all.rend()) return *newest;
  std::vector<std::string> names;
  for (const Review& review : all)
    names.push_back(text::quote(review.name));
  return fail("no review is of this folder", "say which: " + text::join(names, ", "));
}

Status remove_review(const std::string& reviews, const std::string& name) {
  TRY(open_review(reviews, name));
  TRY_ASSIGN(Fd all, file::open(reviews, O_RDONLY | O_DIRECTORY));
  // It is gone at once: half of a layer would be the review of something else, in which a folder
  // that was made anew looks as if all in it had been deleted.
  std::string aside = kRemoved + std::to_string(getpid()) + "-" + name;
  TRY(tree::remove_at(all.get(), aside));
  if (renameat(all.get(), name.c_str(), all.get(), aside.c_str()) < 0)
    return fail_errno("cannot remove the review");
  TRY(tree::remove_at(all.get(), aside));
  return remove_leftovers(all.get());
}

}  // namespace ringwall::review
