"""Another clock than the kernel's for the processes of a test, to be set while they run; files keep the kernel's."""

import subprocess

CLOCK = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long offset(void) {
  long seconds = 0;
  FILE* file = fopen(getenv("CLOCK_OFFSET") ?: "", "re");
  if (file == NULL) return 0;
  if (fscanf(file, "%ld", &seconds) != 1) seconds = 0;
  fclose(file);
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += offset();
  return result;
}

time_t time(time_t* at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at != NULL) *at = now.tv_sec;
  return now.tv_sec;
}
"""


class OtherClock:
    """For who is started with `env`; it says what the kernel's says until it is set."""

    def __init__(self, folder):
        folder.mkdir()
        self.offset = folder / "offset"
        source, library = folder / "clock.c", folder / "clock.so"
        source.write_text(CLOCK)
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source], check=True)
        self.env = {"LD_PRELOAD": str(library), "CLOCK_OFFSET": str(self.offset)}
        self.set(0)

    def set(self, seconds):
        """So much later than it is."""
        self.offset.write_text(str(seconds))
