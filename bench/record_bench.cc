// Appends events to a record as the supervisor does, and says how long one takes: made into JSON,
// searched for secrets, chained and written. One thread, batches as a flood brings them.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "events/event.h"
#include "events/record_file.h"

namespace {

using namespace ringwall;

constexpr int kEvents = 200'000;
constexpr int kBatch = 64;

double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto record = events::RecordFile::create(argv[1], "bench@20260131T090000Z-1", 16 << 20);
  if (!record) {
    fprintf(stderr, "%s\n", record.error().text().c_str());
    return 1;
  }
  double begin = cpu_seconds();
  for (int i = 0; i < kEvents; i++) {
    events::Blocked event{"bench", "host" + std::to_string(i) + ".example.com:443", "curl",
                          "no grant names it", "allow it: ringwall run --allow host.example.com …"};
    record->add({1769850000000 + i, i}, events::to_json(event), 1);
    if (i % kBatch == 0 && !record->write()) return 1;
  }
  if (!record->close()) return 1;
  printf("%.3f\n", (cpu_seconds() - begin) * 1e6 / kEvents);
  return 0;
}
