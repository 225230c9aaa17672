#ifndef CORE_KERNELS_H
#define CORE_KERNELS_H

#include <stdint.h>

/// Loops that stay in a core's registers: assembly on arm64, otherwise C. The two never share a
/// method name: the compiler's loop is a different loop.
///
/// Each repeats its operations `loops` times (an even number, not 0) and returns a result that
/// follows from its arguments by plain arithmetic, so that a wrong or shortened loop is noticed.

/// 1 if the loops are the assembly of loops_arm64.S, 0 if they are the C of loops.c.
#if defined(__aarch64__) || defined(__arm64__)
#define CORE_KERNELS_IN_ASSEMBLY 1
#else
#define CORE_KERNELS_IN_ASSEMBLY 0
#endif

/// Signed 64-bit multiply-add, subtract, divide, add; each waits for the one before it. Returns
/// start + loops. `start` about 2^40 keeps the divider's work constant.
int64_t core_int64(uint64_t loops, int64_t start);

/// Double precision fused multiply-add, subtract, divide, add; each waits for the one before it.
/// Returns start + loops, exact for whole numbers up to 2^50.
double core_fp64(uint64_t loops, double start);

/// Single precision dot products of four lanes: multiply, two pairwise adds, and an add that gives
/// the next loop its vector. Only that add waits for the previous loop.
///
/// `vectors` holds three vectors of four: the first vector; the one added to it after every odd
/// loop and subtracted after every even one, so that it neither grows nor loses precision; the
/// other factor. Returns the last loop's product: (first + added) times the factor.
float core_neon(uint64_t loops, const float vectors[12]);

/// Overhead of the loops above: count down and branch. Returns 0.
uint64_t core_empty(uint64_t loops);

/// The same for the dot products, which count once per two loops.
uint64_t core_empty_pairs(uint64_t loops);

#endif
