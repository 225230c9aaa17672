// Checked against macOS's own headers by tools/darwin.py, with the constants of Darwin.swift.

#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>

#define HAS_TYPE(function, ...) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(function), __VA_ARGS__), #function " has another type")

HAS_TYPE(mincore, int(const void *, size_t, char *));
HAS_TYPE(msync, int(void *, size_t, int));
HAS_TYPE(clock_gettime_nsec_np, __uint64_t(clockid_t));
HAS_TYPE(fcntl, int(int, int, ...));

// msync's flag, and the page size of Apple silicon, to which small writes are aligned.
_Static_assert(MS_INVALIDATE == 2, "MS_INVALIDATE is not 2");

#include "constants.h"
