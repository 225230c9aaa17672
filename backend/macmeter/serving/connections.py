"""How many connections a worker holds at a time, and how long one may say nothing."""

from __future__ import annotations

import resource

from granian.http import HTTP1Settings

# From the first moment of a connection, or the end of its last request, to the end of a request's
# headers: so long at most until its first byte, too.
HEADER_SECONDS = 10
# Of one worker: an idle one takes about 10 KB. Those beyond wait in the kernel's queue.
MOST_CONNECTIONS = 4096
BACKLOG = 4096
# What else a process has open: files of columns, PostgreSQL, pipes, pictures.
_OTHER_DESCRIPTORS = 512
_FEWEST_CONNECTIONS = 128


def allow_descriptors() -> None:
    """Raise this process's limit of open files to what its workers need, as far as it may be.

    Shells and service managers give 1,024 where 500,000 are allowed, or 256.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + _OTHER_DESCRIPTORS
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def connections_of_worker() -> int:
    """How many there may be: fewer where there are not enough descriptors for all of them."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return max(_FEWEST_CONNECTIONS, min(MOST_CONNECTIONS, soft - _OTHER_DESCRIPTORS))


def http1() -> HTTP1Settings:
    """The settings of Granian's HTTP/1. Looking whether a client speaks HTTP/2 instead, which none
    does without TLS, it would wait for a first byte forever.
    """
    return HTTP1Settings(header_read_timeout=HEADER_SECONDS * 1000)
