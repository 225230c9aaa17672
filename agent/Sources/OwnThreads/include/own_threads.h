// Number of this process's threads, from proc_pidinfo, whose availability in Swift depends on the
// SDK.

/// 0 if the system doesn't say.
int own_threads(void);
