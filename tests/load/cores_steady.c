// The agent's int64 kernel as a plain C loop, timed once: how steady this machine's cores are now.
//   cores_steady LOOPS   prints loops per second, after an uncounted warm-up of a twenty-fifth
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Unknown to the compiler, which would otherwise remove what cancels out.
static volatile int64_t factor = 3, offset = 7, step = 1;

static int64_t run(uint64_t loops, int64_t value) {
  int64_t by = factor, plus = offset, further = step;
  for (uint64_t i = 0; i < loops; i++) value = (value * by + plus - offset) / by + further;
  return value;
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  uint64_t loops = strtoull(arguments[1], NULL, 10);
  int64_t start = (int64_t)1 << 40;
  if (run(loops / 25, start) != start + (int64_t)(loops / 25)) return 1;
  double began = now();
  int64_t end = run(loops, start);
  double seconds = now() - began;
  if (end != start + (int64_t)loops) return 1;
  printf("%.3f\n", (double)loops / seconds);
  return 0;
}
