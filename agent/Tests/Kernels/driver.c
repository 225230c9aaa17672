// Runs the loops of CoreKernels on an arm64 processor, real or emulated, and compares their results
// with plain arithmetic, one operation at a time. Started by tools/kernels.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core_kernels.h"

static const uint64_t counts[] = {2, 4, 6, 1000, 123456};
static const int64_t starts[] = {1LL << 40, 0, 1, (1LL << 40) + 12345};
static int failures = 0;

static void expect(int equal, const char *kernel, uint64_t loops) {
  if (equal) return;
  failures++;
  printf("%s: wrong result after %llu loops\n", kernel, (unsigned long long)loops);
}

static int64_t plain_int64(uint64_t loops, int64_t value) {
  for (volatile uint64_t i = 0; i < loops; i++) {
    volatile int64_t product = value * 3 + 7;
    volatile int64_t difference = product - 7;
    volatile int64_t quotient = difference / 3;
    value = quotient + 1;
  }
  return value;
}

static double plain_fp64(uint64_t loops, double value) {
  for (volatile uint64_t i = 0; i < loops; i++) {
    volatile double product = fma(value, 3, 7);
    volatile double difference = product - 7;
    volatile double quotient = difference / 3;
    value = quotient + 1;
  }
  return value;
}

static float plain_neon(uint64_t loops, const float vectors[12]) {
  float vector[4], last = 0;
  memcpy(vector, vectors, sizeof vector);
  for (uint64_t i = 0; i < loops; i++) {
    volatile float product[4];
    for (int lane = 0; lane < 4; lane++) product[lane] = vector[lane] * vectors[8 + lane];
    volatile float low = product[0] + product[1], high = product[2] + product[3];
    last = low + high;
    for (int lane = 0; lane < 4; lane++) vector[lane] += (i % 2 ? -1 : 1) * vectors[4 + lane];
  }
  return last;
}

int main(void) {
  const float vectors[12] = {1.337f, -2.71f, 3.14159f, 0.577f, 0.25f,  1.75f,
                             -0.5f,  2.0f,   1.618f,   1.414f, -2.236f, 0.693f};
  for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
    uint64_t loops = counts[i];
    for (unsigned j = 0; j < sizeof starts / sizeof *starts; j++) {
      expect(core_int64(loops, starts[j]) == plain_int64(loops, starts[j]), "int64", loops);
      expect(core_fp64(loops, starts[j]) == plain_fp64(loops, starts[j]), "fp64", loops);
    }
    // Not an integer: every step rounds, and must round as plain arithmetic does.
    expect(core_fp64(loops, 0.1) == plain_fp64(loops, 0.1), "fp64", loops);
    expect(core_neon(loops, vectors) == plain_neon(loops, vectors), "neon", loops);
    expect(core_empty(loops) == 0, "empty", loops);
    expect(core_empty_pairs(loops) == 0, "empty pairs", loops);
  }
  printf(failures ? "%d results are wrong\n" : "every result is that of plain arithmetic\n", failures);
  return failures != 0;
}
