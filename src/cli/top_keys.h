// What a person types at a full-screen view, key by key, out of the bytes that a terminal sends.
// What was pasted is no key, and no letter of a longer sequence is one, wherever it was cut in two:
// either could end a run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringwall::cli {

// Letters are themselves, and so are controls; '\t' is Tab.
enum class Key : char { up = 1, down = 2, interrupt = 3, suspend = 0x1a };

class TopKeys {
 public:
  std::vector<Key> take(std::string_view bytes);

 private:
  // How many bytes the sequence at the start has; 0: the rest of it has not come.
  size_t take_sequence(std::string_view bytes, std::vector<Key>& keys);

  std::string rest_;
  bool is_pasted_ = false;
};

}  // namespace ringwall::cli
