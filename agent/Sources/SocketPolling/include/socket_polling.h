#ifndef SOCKET_POLLING_H
#define SOCKET_POLLING_H

#include <stdarg.h>

/// Wrapper of Foundation's call to libcurl on Linux; tools/agent-build links it with `--wrap`.
///
/// libcurl reports each change of the events it waits for on a socket. Foundation starts watching
/// the new ones but never stops watching the old ones. A socket is nearly always writable, so once
/// it is connected Foundation polls libcurl continuously, occupying a core, until the server
/// responds.
int __wrap_curl_multi_setopt(void *multi, int option, ...);

#endif
