#ifndef SOCKET_POLLING_H
#define SOCKET_POLLING_H

#include <stdarg.h>

/// Stands between Foundation and libcurl on Linux, where tools/agent-build has the linker put it (`--wrap`).
///
/// libcurl reports each change of what it waits for at a socket. Foundation watches what is new and
/// never stops watching what was before. A socket can be written to nearly always, so once it has been
/// connected Foundation asks libcurl again and again, on a whole core, until the server answers.
int __wrap_curl_multi_setopt(void *multi, int option, ...);

#endif
