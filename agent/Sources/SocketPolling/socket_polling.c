#include "socket_polling.h"

#include <stddef.h>

// Of curl/multi.h, whose numbers never change: a toolchain that has libcurl in it brings no headers.
enum { SOCKET_FUNCTION = 20001, POLL_IN = 1, POLL_IN_OUT = 3, POLL_REMOVE = 4 };
typedef int (*socket_function)(void *easy, int socket, int what, void *multi, void *watched);

// Where nothing is wrapped, such as in tests that load Foundation, nobody calls what calls it.
extern int __real_curl_multi_setopt(void *multi, int option, ...) __attribute__((weak));

static socket_function foundation;

/// What is watched already is let go before something else is watched in its place.
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
