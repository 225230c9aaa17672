// The same blocks with the same zlib and level, called from C: the reference for the agent.
//   compress_zlib FILE THREADS   prints the seconds from the first block to the last
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

enum { BLOCK = 1 << 20, LEVEL = 6 };

static unsigned char *corpus;
static long blocks;
static atomic_long next_block;
static pthread_barrier_t gate;

static void *work(void *unused) {
  (void)unused;
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (deflateInit(&stream, LEVEL) != Z_OK) exit(1);
  unsigned long room = deflateBound(&stream, BLOCK);
  unsigned char *output = malloc(room);
  pthread_barrier_wait(&gate);
  for (long number; (number = atomic_fetch_add(&next_block, 1)) < blocks;) {
    deflateReset(&stream);
    stream.next_in = corpus + number * BLOCK;
    stream.avail_in = BLOCK;
    stream.next_out = output;
    stream.avail_out = (unsigned)room;
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) exit(1);
  }
  deflateEnd(&stream);
  free(output);
  return NULL;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  FILE *file = fopen(arguments[1], "rb");
  if (!file || fseek(file, 0, SEEK_END)) return 1;
  long bytes = ftell(file);
  rewind(file);
  corpus = malloc((size_t)bytes);
  if (!corpus || fread(corpus, 1, (size_t)bytes, file) != (size_t)bytes) return 1;
  blocks = bytes / BLOCK;
  int threads = atoi(arguments[2]);
  pthread_t *team = calloc((size_t)threads, sizeof *team);
  pthread_barrier_init(&gate, NULL, (unsigned)threads + 1);
  for (int i = 0; i < threads; i++) pthread_create(&team[i], NULL, work, NULL);
  pthread_barrier_wait(&gate);
  double started = now();
  for (int i = 0; i < threads; i++) pthread_join(team[i], NULL);
  printf("%.9f\n", now() - started);
  return 0;
}
