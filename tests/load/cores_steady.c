// A plain loop as anybody would write it, timed: how steady this machine's cores are right now.
//   cores_steady LOOPS REPETITIONS   prints loops a second, each time
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  uint64_t loops = strtoull(arguments[1], NULL, 10);
  uint64_t repetitions = strtoull(arguments[2], NULL, 10);
  volatile int64_t start = 1 << 20, step = 3;
  for (uint64_t repetition = 0; repetition < repetitions; repetition++) {
    int64_t value = start, divisor = step;
    double began = now();
    for (uint64_t i = 0; i < loops; i++) {
      value = value * 3 + 5;
      value = (value - 5) / divisor;
      value += 1;
    }
    double seconds = now() - began;
    if (value != start + (int64_t)loops) return 1;
    printf("%.3f\n", (double)loops / seconds);
  }
  return 0;
}
