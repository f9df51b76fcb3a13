// Runs a fuzz target without libFuzzer, over what a dictionary holds and over random mixtures of
// it: a fixed number of rounds, the same in every run, for the ordinary tests.
//
//   fuzz-X-replay DICTIONARY ROUNDS
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

// The text between the quotes of a line of a libFuzzer dictionary: \xNN, \\ and \" are escapes.
std::string unquoted(const std::string& line) {
  std::string out;
  size_t at = line.find('"') + 1, end = line.rfind('"');
  while (at < end) {
    if (line[at] != '\\') {
      out += line[at++];
    } else if (line[at + 1] == 'x') {
      out += static_cast<char>(std::stoi(line.substr(at + 2, 2), nullptr, 16));
      at += 4;
    } else {
      out += line[at + 1];
      at += 2;
    }
  }
  return out;
}

std::vector<std::string> entries_of(const char* path) {
  std::vector<std::string> entries;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#') && line.find('"') != std::string::npos)
      entries.push_back(unquoted(line));
  }
  return entries;
}

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
}

std::string mixture(const std::vector<std::string>& entries, std::mt19937& random) {
  std::string input = {static_cast<char>(random()), static_cast<char>(random())};
  for (size_t parts = 1 + random() % 8; parts > 0; parts--) {
    std::string part = entries[random() % entries.size()];
    switch (random() % 4) {
      case 0:
        part.resize(random() % (part.size() + 1));
        break;
      case 1:
        if (!part.empty()) part[random() % part.size()] = static_cast<char>(random());
        break;
      default:
        break;
    }
    input += part;
  }
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s DICTIONARY ROUNDS\n", argv[0]);
    return 2;
  }
  std::vector<std::string> entries = entries_of(argv[1]);
  if (entries.empty()) {
    fprintf(stderr, "%s: no entries in %s\n", argv[0], argv[1]);
    return 1;
  }
  for (const std::string& entry : entries) {
    for (char options = 0; options < 4; options++)
      run(std::string{options, '\0'} + entry);
  }
  std::mt19937 random(1);  // NOLINT: the same in every run
  for (int round = atoi(argv[2]); round > 0; round--)
    run(mixture(entries, random));
  return 0;
}
