// How many threads this process has: proc_pidinfo, which Swift has or has not by the SDK.

/// 0 where the system does not say.
int own_threads(void);
