// Both ends of what is measured over a network.
//
//   stream serve PORT              a server on every address: sends what is asked for, or echoes
//   stream fetch HOST PORT BYTES   takes that many; prints the bytes and the nanoseconds they took
//   stream connect HOST PORT N     N connections one after another, a byte there and back on each;
//                                  prints the nanoseconds of each
//   stream many HOST PORT N BYTES  N connections open at once, that many bytes there and back on
//                                  each; prints how many connections had a byte wrong or lost
//   stream hold HOST PORT N        opens N connections, a byte there and back on each, says "up"
//   and
//                                  how many, and keeps them until its input ends
//
// The name is looked up once, before the clock runs.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { kBlock = 256 << 10, kOrderBytes = 16 };

static char block[kBlock];

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void die(const char* what) {
  perror(what);
  exit(1);
}

static void send_at_once(int line) {
  int on = 1;
  setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

// The server

static int memory_file(void) {
  int file = memfd_create("block", 0);
  if (file < 0 || ftruncate(file, 16 << 20) < 0) die("memfd_create");
  return file;
}

static void* send_all(void* argument) {
  int line = (int)(intptr_t)argument;
  static int file = -1;
  static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&guard);
  if (file < 0) file = memory_file();
  pthread_mutex_unlock(&guard);
  char order[kOrderBytes + 1] = "";
  if (recv(line, order, kOrderBytes, MSG_WAITALL) == kOrderBytes) {
    int64_t left = atoll(order + 1);
    while (left > 0) {
      off_t from = 0;
      ssize_t sent = sendfile(line, file, &from, left < (16 << 20) ? (size_t)left : 16 << 20);
      if (sent <= 0) break;
      left -= sent;
    }
  }
  close(line);
  return NULL;
}

static void serve_line(int epoll, int line) {
  char data[4096];
  if (recv(line, data, 1, MSG_PEEK | MSG_DONTWAIT) == 1 && data[0] == 'S') {
    epoll_ctl(epoll, EPOLL_CTL_DEL, line, NULL);
    pthread_t thread;
    if (pthread_create(&thread, NULL, send_all, (void*)(intptr_t)line) != 0) die("thread");
    pthread_detach(thread);
    return;
  }
  ssize_t count = recv(line, data, sizeof data, MSG_DONTWAIT);
  if (count < 0 && errno == EAGAIN) return;
  // The lines are blocking ones, so all of it is sent.
  if (count <= 0 || send(line, data, (size_t)count, MSG_NOSIGNAL) != count) close(line);
}

static void serve(int port) {
  int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener, (struct sockaddr*)&here, sizeof here) < 0 || listen(listener, 4096) < 0)
    die("listen");
  int epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[256];
  epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
  for (;;) {
    int count = epoll_wait(epoll, events, 256, -1);
    for (int i = 0; i < count; i++) {
      if (events[i].data.fd != listener) {
        serve_line(epoll, events[i].data.fd);
        continue;
      }
      int line = accept(listener, NULL, NULL);
      if (line < 0) continue;
      send_at_once(line);
      event.data.fd = line;
      epoll_ctl(epoll, EPOLL_CTL_ADD, line, &event);
    }
  }
}

// The client

static struct sockaddr_storage there;
static socklen_t there_size;

static void look_up(const char* host, const char* port) {
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found;
  int error = getaddrinfo(host, port, &hints, &found);
  if (error != 0) {
    fprintf(stderr, "%s: %s\n", host, gai_strerror(error));
    exit(1);
  }
  memcpy(&there, found->ai_addr, found->ai_addrlen);
  there_size = found->ai_addrlen;
  freeaddrinfo(found);
}

static int dial(void) {
  int line = socket(AF_INET, SOCK_STREAM, 0);
  if (line < 0 || connect(line, (struct sockaddr*)&there, there_size) < 0) die("connect");
  send_at_once(line);
  return line;
}

static int fetch(int64_t bytes) {
  int line = dial();
  char order[kOrderBytes + 1];
  snprintf(order, sizeof order, "S%014lld\n", (long long)bytes);
  int64_t begin = now(), got = 0;
  if (send(line, order, kOrderBytes, 0) != kOrderBytes) die("send");
  ssize_t count;
  while ((count = recv(line, block, sizeof block, 0)) > 0)
    got += count;
  if (count < 0) die("recv");
  printf("bytes %lld nanoseconds %lld\n", (long long)got, (long long)(now() - begin));
  return got == bytes ? 0 : 1;
}

static void there_and_back(int line) {
  char byte = 'E';
  if (send(line, &byte, 1, 0) != 1 || recv(line, &byte, 1, 0) != 1 || byte != 'E') die("echo");
}

static int connect_often(int count) {
  for (int i = 0; i < count; i++) {
    int64_t begin = now();
    int line = dial();
    there_and_back(line);
    int64_t spent = now() - begin;
    // As a client that is done: its port is free again at once.
    struct linger at_once = {1, 0};
    setsockopt(line, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(line);
    printf("%lld\n", (long long)spent);
  }
  return 0;
}

static void allow_many(void) {
  struct rlimit most;
  getrlimit(RLIMIT_NOFILE, &most);
  most.rlim_cur = most.rlim_max;
  setrlimit(RLIMIT_NOFILE, &most);
}

static unsigned char byte_of(int line, int place) {
  // Never 'S', which asks for something else.
  return (unsigned char)('a' + (line * 7 + place) % 26);
}

static int many(int count, int bytes) {
  allow_many();
  int* lines = calloc((size_t)count, sizeof *lines);
  unsigned char* data = malloc((size_t)bytes);
  for (int i = 0; i < count; i++)
    lines[i] = dial();
  for (int i = 0; i < count; i++) {
    for (int place = 0; place < bytes; place++)
      data[place] = byte_of(i, place);
    if (send(lines[i], data, (size_t)bytes, 0) != bytes) die("send");
  }
  int wrong = 0;
  for (int i = 0; i < count; i++) {
    int good = recv(lines[i], data, (size_t)bytes, MSG_WAITALL) == bytes;
    for (int place = 0; good && place < bytes; place++)
      good = data[place] == byte_of(i, place);
    wrong += !good;
  }
  printf("wrong %d\n", wrong);
  return 0;
}

static int hold(int count) {
  allow_many();
  for (int i = 0; i < count; i++)
    there_and_back(dial());
  printf("up %d\n", count);
  fflush(stdout);
  while (read(0, block, sizeof block) > 0) {
  }
  return 0;
}

int main(int count, char** words) {
  if (count < 3) return 2;
  if (strcmp(words[1], "serve") == 0) {
    allow_many();
    serve(atoi(words[2]));
  }
  if (count < 5) return 2;
  look_up(words[2], words[3]);
  if (strcmp(words[1], "fetch") == 0) return fetch(atoll(words[4]));
  if (strcmp(words[1], "connect") == 0) return connect_often(atoi(words[4]));
  if (strcmp(words[1], "hold") == 0) return hold(atoi(words[4]));
  if (strcmp(words[1], "many") == 0 && count == 6) return many(atoi(words[4]), atoi(words[5]));
  return 2;
}
