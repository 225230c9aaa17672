"""The process that all others of a server are forked from.

It is forked from the server's first process before that has threads, and only forks on request, so
that no lock is held when it does. If it is killed, a successor is executed and continues with the
same requests; processes forked before are unaffected.
"""

import contextlib
import importlib
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence

from macmeter.platform.processes import process
from macmeter.platform.processes.memory import exempt_from_gc
from macmeter.platform.processes.process import use_template
from macmeter.platform.telemetry.logs import print_log_line

# Only where forking is sound. On macOS frameworks below NumPy have threads, which don't survive it.
CAN_FORK = sys.platform == "linux"
NAME = "macmeter-templ"
RETRY_SECONDS = 1.0
# Signals of terminals and service managers are for the supervisor, which ends everything in order.
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def forking(modules: Sequence[str]) -> Iterator[None]:
    """Fork processes from a template that has imported these modules, for the `with` block.

    Must be entered before there are threads; otherwise, processes are executed.
    """
    if not CAN_FORK or threading.active_count() > 1:
        yield
        return
    # Datagrams, so that a successor reads complete requests.
    sender, receiver = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    lifeline, lifeline_end = os.pipe()
    use_template(sender)
    _import(modules)
    former_mask = signal.pthread_sigmask(signal.SIG_BLOCK, _STOP_SIGNALS)
    if not (pid := os.fork()):
        os.close(lifeline_end)
        _fork_forever(receiver, lifeline, former_mask)
    signal.pthread_sigmask(signal.SIG_SETMASK, former_mask)
    descriptors = [sender.fileno(), receiver.fileno(), lifeline]
    closing = threading.Event()

    def replace_when_killed() -> None:
        os.waitpid(pid, 0)
        command = (sys.executable, "-m", __name__, *map(str, descriptors), *modules)
        while not closing.is_set():
            print_log_line("The template of the server's processes has ended: another one is made")
            subprocess.Popen(command, pass_fds=descriptors).wait()
            time.sleep(RETRY_SECONDS)

    threading.Thread(target=replace_when_killed, name="template", daemon=True).start()
    try:
        yield
    finally:
        closing.set()
        use_template(None)
        os.close(lifeline_end)


def _import(modules: Sequence[str]) -> None:
    with exempt_from_gc():
        for module in modules:
            importlib.import_module(module)


def _fork_forever(receiver: socket.socket, lifeline: int, mask: set[int | signal.Signals]) -> None:
    """Fork on request until the supervisor's end of `lifeline` closes. Never returns."""
    for number in _STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children are reaped automatically
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    os.setpgid(0, 0)
    process.set_process_name(NAME)
    _leave_terminal()
    try:
        while True:
            ready, _, _ = select.select([receiver.fileno(), lifeline], [], [])
            if lifeline in ready:
                break
            name, descriptors, _, _ = socket.recv_fds(receiver, 64, 1)
            with contextlib.suppress(OSError):  # the requester sees its socket closed
                if not os.fork():
                    _run_child(name.decode(), descriptors[0], lifeline)
            os.close(descriptors[0])
    finally:
        os._exit(0)


def _run_child(name: str, descriptor: int, lifeline: int) -> None:
    try:
        os.close(lifeline)
        for number in (*_STOP_SIGNALS, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        process.run(name, socket.socket(fileno=descriptor))
    finally:
        os._exit(1)


def _leave_terminal() -> None:
    """Detach from the terminal: standard input is empty, and standard output goes to the log."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)


def main() -> None:
    """Run a successor; arguments: three descriptors as in `forking`, and modules to import."""
    sender, receiver, lifeline = map(int, sys.argv[1:4])
    use_template(socket.socket(fileno=sender))
    _import(sys.argv[4:])
    _fork_forever(socket.socket(fileno=receiver), lifeline, set())


if __name__ == "__main__":
    main()
