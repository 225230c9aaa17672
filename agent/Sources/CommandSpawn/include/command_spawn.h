// Starting and waiting for somebody else's program: posix_spawn's types differ between systems in a
// way that Swift cannot bridge.

#include <sys/types.h>

/// Starts argv[0], looked up in PATH, in a process group of its own, with every signal as it is by
/// default and nothing to read. What it prints goes to standard error, or nowhere.
/// Returns 0 and the process's id, or errno.
int command_spawn(char *const argv[], int shows_output, pid_t *process);

/// What a program used, in seconds and bytes.
struct command_usage {
  double user;
  double system;
  double peak_memory;
  /// Its exit code; -1 where a signal ended it.
  int exit_code;
  /// The signal that ended it; 0 where none did.
  int signal;
};

/// Bytes below which `peak_memory` tells nothing: Linux counts what this program had before the other
/// took its place. 0 elsewhere.
double command_own_peak(void);

/// Waits for its end. Returns 0 or errno.
int command_wait(pid_t process, struct command_usage *usage);
