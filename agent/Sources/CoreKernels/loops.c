#include "core_kernels.h"

#if !CORE_KERNELS_IN_ASSEMBLY

#if !defined(__x86_64__)
#error "no loops for this processor"
#endif

// The compiler would optimise this arithmetic away. Passing a value through an empty asm statement
// makes it assume that the value may have changed, at no cost.
#define HOLD(value) __asm__ volatile("" : "+r"(value))
#define HOLD_FLOAT(value) __asm__ volatile("" : "+x"(value))

int64_t core_int64(uint64_t loops, int64_t start) {
  int64_t value = start, factor = 3, offset = 7, step = 1;
  HOLD(factor);
  HOLD(offset);
  HOLD(step);
  do {
    value = value * factor + offset;
    HOLD(value);
    value -= offset;
    HOLD(value);
    value /= factor;
    HOLD(value);
    value += step;
    HOLD(value);
  } while (--loops);
  return value;
}

double core_fp64(uint64_t loops, double start) {
  double value = start, factor = 3, offset = 7, step = 1;
  HOLD_FLOAT(factor);
  HOLD_FLOAT(offset);
  HOLD_FLOAT(step);
  do {
    value *= factor;  // x86-64 doesn't guarantee a fused multiply-add
    HOLD_FLOAT(value);
    value += offset;
    HOLD_FLOAT(value);
    value -= offset;
    HOLD_FLOAT(value);
    value /= factor;
    HOLD_FLOAT(value);
    value += step;
    HOLD_FLOAT(value);
  } while (--loops);
  return value;
}

typedef float lanes __attribute__((vector_size(16)));

static inline float dot(lanes a, lanes b) {
  lanes product = a * b;
  HOLD_FLOAT(product);
  float low = product[0] + product[1];
  float high = product[2] + product[3];
  float sum = low + high;
  HOLD_FLOAT(sum);
  return sum;
}

float core_neon(uint64_t loops, const float vectors[12]) {
  lanes vector, step, factor;
  __builtin_memcpy(&vector, vectors, sizeof vector);
  __builtin_memcpy(&step, vectors + 4, sizeof step);
  __builtin_memcpy(&factor, vectors + 8, sizeof factor);
  float last;
  do {
    dot(vector, factor);
    vector += step;
    HOLD_FLOAT(vector);
    last = dot(vector, factor);
    vector -= step;
    HOLD_FLOAT(vector);
    loops -= 2;
  } while (loops);
  return last;
}

uint64_t core_empty(uint64_t loops) {
  do {
    loops -= 1;
    HOLD(loops);
  } while (loops);
  return loops;
}

uint64_t core_empty_pairs(uint64_t loops) {
  do {
    loops -= 2;
    HOLD(loops);
  } while (loops);
  return loops;
}

#endif
