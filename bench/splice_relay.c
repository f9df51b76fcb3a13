// The least that a relay can do: takes connections, dials one address for each, and moves bytes
// both ways by splice, without a look at them.
//
//   splice_relay PORT TO_ADDRESS TO_PORT      listens on loopback, says "up", ends by a signal
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { kPipeBytes = 1 << 20 };

static struct sockaddr_in target;

struct direction {
  int from;
  int to;
};

static void* carry(void* argument) {
  struct direction way = *(struct direction*)argument;
  free(argument);
  int pipe_ends[2];
  if (pipe(pipe_ends) < 0) return NULL;
  (void)fcntl(pipe_ends[1], F_SETPIPE_SZ, kPipeBytes);  // a smaller one works too
  for (;;) {
    ssize_t count = splice(way.from, NULL, pipe_ends[1], NULL, kPipeBytes, SPLICE_F_MOVE);
    if (count <= 0) break;
    while (count > 0) {
      ssize_t sent = splice(pipe_ends[0], NULL, way.to, NULL, (size_t)count, SPLICE_F_MOVE);
      if (sent <= 0) break;
      count -= sent;
    }
    if (count > 0) break;
  }
  shutdown(way.to, SHUT_WR);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  return NULL;
}

static pthread_t start(int from, int to) {
  struct direction* way = malloc(sizeof *way);
  *way = (struct direction){from, to};
  pthread_t thread;
  if (pthread_create(&thread, NULL, carry, way) != 0) abort();
  return thread;
}

static void* relay(void* argument) {
  int inside = (int)(intptr_t)argument;
  int outside = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(outside, (struct sockaddr*)&target, sizeof target) == 0) {
    pthread_t up = start(inside, outside), down = start(outside, inside);
    pthread_join(up, NULL);
    pthread_join(down, NULL);
  }
  close(inside);
  close(outside);
  return NULL;
}

int main(int count, char** words) {
  if (count != 4) return 2;
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[1]))};
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  target = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[3]))};
  int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (inet_pton(AF_INET, words[2], &target.sin_addr) != 1 ||
      bind(listener, (struct sockaddr*)&here, sizeof here) < 0 || listen(listener, 4096) < 0) {
    perror("splice_relay");
    return 1;
  }
  puts("up");
  fflush(stdout);
  for (;;) {
    int inside = accept(listener, NULL, NULL);
    pthread_t thread;
    if (inside < 0 || pthread_create(&thread, NULL, relay, (void*)(intptr_t)inside) != 0) continue;
    pthread_detach(thread);
  }
}
