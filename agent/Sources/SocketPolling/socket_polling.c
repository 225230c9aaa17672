#include "socket_polling.h"

#include <stddef.h>

// From curl/multi.h, whose numbers never change: toolchains that include libcurl bring no headers.
enum { SOCKET_FUNCTION = 20001, POLL_IN = 1, POLL_IN_OUT = 3, POLL_REMOVE = 4 };
typedef int (*socket_function)(void *easy, int socket, int what, void *multi, void *watched);

// Weak: without the wrapper, as in tests that load Foundation, this is absent and never called.
extern int __real_curl_multi_setopt(void *multi, int option, ...) __attribute__((weak));

static socket_function foundation;

/// Stop watching the old events before watching the new ones.
static int replace(void *easy, int socket, int what, void *multi, void *watched) {
  if (watched && POLL_IN <= what && what <= POLL_IN_OUT) {
    foundation(easy, socket, POLL_REMOVE, multi, watched);
    watched = NULL;
  }
  return foundation(easy, socket, what, multi, watched);
}

int __wrap_curl_multi_setopt(void *multi, int option, ...) {
  va_list arguments;
  va_start(arguments, option);
  void *value = va_arg(arguments, void *);
  va_end(arguments);
  if (option == SOCKET_FUNCTION) {
    foundation = (socket_function)value;
    value = (void *)replace;
  }
  return __real_curl_multi_setopt(multi, option, value);
}
