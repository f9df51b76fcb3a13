#include "policy/fields.h"

namespace ringwall::policy {
namespace {

// clang-format off
const Field kFields[] = {
    {"run.name", "--name", "NAME", Shape::name,
     "name of the run; default: the workspace's name and a number",
     TextOf([](Policy& p) -> Text& { return p.run.name; }), false},
    {"files.workspace", "-w,--workspace", "DIR", Shape::path,
     "folder the agent may change; default: the nearest folder upward that holds .git, else the current one",
     TextOf([](Policy& p) -> Text& { return p.files.workspace; }), true},
    {"files.read", "--ro", "PATH", Shape::path,
     "a file or folder to show read-only; may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.files.read; }), true},
    {"files.write", "--rw", "PATH", Shape::path,
     "a file or folder that may be changed too; may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.files.write; }), true},
    {"home.name", "--home", "NAME", Shape::name,
     "which private home to use; default: one per workspace",
     TextOf([](Policy& p) -> Text& { return p.home.name; }), false},
    {"home.fresh", "--fresh", "", Shape::on_off,
     "start with an empty home and keep nothing of it",
     SwitchOf([](Policy& p) -> Switch& { return p.home.fresh; }), false},
    {"home.keep", "--keep", "PATH", Shape::home_path,
     "a folder below the private home that persists too, e.g. .claude/projects; may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.home.keep; }), true},
    {"home.caches", "--cache", "NAME", Shape::cache,
     "offer a cache of the real home, changes kept apart: npm, cargo, maven, pip, go; may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.home.caches; }), true},
    {"environment.pass", "--env", "NAME", Shape::variable,
     "a variable to pass on from the caller; may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.environment.pass; }), true},
    {"environment.set", "--set", "NAME=VALUE", Shape::assignment,
     "a variable to set inside; may be repeated",
     ListOf([](Policy& p) -> std::vector<Text>& { return p.environment.set; }), true},
    {"git.hooks", "--git-hooks", "", Shape::on_off,
     "let the repository's git hooks run inside",
     SwitchOf([](Policy& p) -> Switch& { return p.git.hooks; }), true},
};
// clang-format on

}  // namespace

std::span<const Field> fields() { return kFields; }

const Field* field_by_key(std::string_view key) {
  for (const Field& field : kFields) {
    if (field.key == key) return &field;
  }
  return nullptr;
}

}  // namespace ringwall::policy
