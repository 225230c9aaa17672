#define _GNU_SOURCE
#include <fcntl.h>

#include "direct_io.h"

int direct_io_flag(void) {
#ifdef O_DIRECT
  return O_DIRECT;
#else
  return 0;
#endif
}
