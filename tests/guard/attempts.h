// What the parts of `attempts` share.
#pragma once

#include <stddef.h>

struct bytes {
  const char* start;
  size_t size;
};

struct attempt {
  const char* name;
  void (*act)(void);
};

struct bytes bytes_of_target(void);
struct bytes bytes_of_harmless(void);
struct bytes bytes_of_harmless_library(void);
void say_ran(void);
void write_whole(int fd, struct bytes bytes);
void make_file(const char* name, struct bytes bytes);

// races.c: each tries 200 times to get through between a look and its use.
void flip_paths(void);
void flip_content(void);
void flip_library(void);
void flip_mapped_content(void);

// What must work: they say TARGET-RAN if it does.
void load_among_threads(void);
void write_to_named_pipe(void);
