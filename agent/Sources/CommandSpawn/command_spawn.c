#include "command_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int command_spawn(char *const argv[], int shows_output, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int failed = posix_spawn_file_actions_init(&actions);
  if (failed) return failed;
  failed = posix_spawnattr_init(&attributes);
  if (failed) {
    posix_spawn_file_actions_destroy(&actions);
    return failed;
  }
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (shows_output) {
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  // The agent ignores these; a program that inherited that couldn't be stopped.
  sigset_t defaults, none;
  sigemptyset(&none);
  sigemptyset(&defaults);
  int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  for (unsigned i = 0; i < sizeof ignored / sizeof *ignored; i++) sigaddset(&defaults, ignored[i]);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  failed = posix_spawnp(process, argv[0], &actions, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

double command_own_peak(void) {
#ifdef __APPLE__
  return 0;
#else
  struct rusage own;
  return getrusage(RUSAGE_SELF, &own) ? 0 : (double)own.ru_maxrss * 1024;
#endif
}

int command_wait(pid_t process, struct command_usage *usage) {
  int status = 0;
  struct rusage used;
  while (wait4(process, &status, 0, &used) < 0) {
    if (errno != EINTR) return errno;
  }
  usage->user = seconds(used.ru_utime);
  usage->system = seconds(used.ru_stime);
#ifdef __APPLE__
  usage->peak_memory = (double)used.ru_maxrss;
#else
  usage->peak_memory = (double)used.ru_maxrss * 1024;
#endif
  usage->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  usage->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return 0;
}
