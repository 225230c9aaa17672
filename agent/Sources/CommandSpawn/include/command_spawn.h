// Starting and waiting for another program: posix_spawn's types differ between systems in a way
// that Swift can't bridge.

#include <sys/types.h>

/// Start argv[0], looked up in PATH, in its own process group, with default signal handling and no
/// input. Its output goes to standard error, or nowhere. Return 0 and set the process id, or return
/// errno.
int command_spawn(char *const argv[], int shows_output, pid_t *process);

/// A program's resource usage, in seconds and bytes.
struct command_usage {
  double user;
  double system;
  double peak_memory;
  /// Exit code; -1 if a signal ended it.
  int exit_code;
  /// The signal that ended it; 0 if none.
  int signal;
};

/// Bytes below which `peak_memory` means nothing: Linux counts this program's own memory from
/// before exec. 0 elsewhere.
double command_own_peak(void);

/// Wait for the process to end. Return 0 or errno.
int command_wait(pid_t process, struct command_usage *usage);
