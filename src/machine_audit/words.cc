// What places and addresses of settings look like, without opening or asking anything.
#include "base/text.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
bool lies_in_the_open(std::string_view word) {
  return word.starts_with("/tmp/") || word.starts_with("/var/tmp/") ||
         word.starts_with("/dev/shm/");
}

bool is_plain_address(std::string_view url) {
  std::string small = text::in_small_letters(url);
  if (!small.starts_with("http://")) return false;
  std::string_view host = std::string_view(small).substr(7);
  host = host.substr(0, host.find_first_of("/?#"));
  if (size_t at = host.rfind('@'); at != std::string_view::npos) host.remove_prefix(at + 1);
  if (host.starts_with("[::1]")) return false;
  host = host.substr(0, host.find(':'));
  bool is_own = host == "localhost" || host.starts_with("127.") || host.ends_with(".localhost") ||
                host == "host.docker.internal" || host == "0.0.0.0";
  return !is_own && !host.starts_with('$');
}

}  // namespace ringwall::machine_audit
