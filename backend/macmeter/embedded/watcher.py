"""Shell script that stops PostgreSQL when the process that started it ends, in whatever way.

A small shell runs between PostgreSQL and that process, its owner. The shell's standard input is a
pipe whose other end only the owner holds.
When that is closed, on purpose (stop), by the owner's exit or by kill -9, the shell reads end of
file and asks PostgreSQL for a fast shutdown, which writes a checkpoint and loses nothing. The
kernel closes pipes on every system; a parent-death signal exists on Linux only, and there it
follows the thread that started the child, not the process.
"""

# $@ is PostgreSQL's command line. `wait` returns early when a signal is trapped, so it is repeated
# until PostgreSQL has really ended. The watcher is a loop of the shell's own `read`: no other
# process holds the pipe or outlives it. A signal to the whole group may come at any moment: the
# first trap keeps us alive once PostgreSQL may be there, and the watcher ignores signals from its
# start. PostgreSQL handles INT only once it has started; until then TERM ends it, and later it is
# the milder of the two.
WATCH_SCRIPT = """
trap : INT TERM HUP
exec 3<&0 </dev/null
"$@" 3<&- &
postgres=$!
trap '' INT TERM HUP
( while read -r line <&3; do :; done; kill -TERM $postgres; kill -INT $postgres ) 2>/dev/null &
watcher=$!
exec 3<&-
trap '{ kill -TERM $postgres; kill -INT $postgres; } 2>/dev/null' INT TERM HUP
while :; do
  wait $postgres
  status=$?
  kill -0 $postgres 2>/dev/null || break
done
kill -KILL $watcher 2>/dev/null
exit $status
"""


def watched_command(command: list[str]) -> list[str]:
    """Return a command line that runs `command` until it ends or stdin is closed."""
    return ["/bin/sh", "-c", WATCH_SCRIPT, "macmeter-postgres", *command]
