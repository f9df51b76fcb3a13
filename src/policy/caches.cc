#include "policy/caches.h"

namespace ringwall::policy {
namespace {

constexpr Cache kCaches[] = {
    {"npm", ".npm/_cacache"},    {"cargo", ".cargo/registry .cargo/git"},
    {"maven", ".m2/repository"}, {"pip", ".cache/pip"},
    {"go", "go/pkg/mod"},        {"ccache", ".cache/ccache"},
};

constexpr KeptState kKeptState[] = {
    {".cache", "", "downloads and build results of many tools"},
    {".npm/_cacache", "npm", "packages of npm, checked by their digest"},
    {".cargo/registry", "cargo", "packages of Cargo"},
    {".cargo/git", "cargo", "packages of Cargo"},
    {".m2/repository", "mvn", "packages of Maven"},
    {"go/pkg/mod", "go", "packages of Go"},
};

}  // namespace

std::span<const Cache> caches() { return kCaches; }
std::span<const KeptState> kept_state() { return kKeptState; }

}  // namespace ringwall::policy
