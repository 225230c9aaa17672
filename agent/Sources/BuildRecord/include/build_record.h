#ifndef BUILD_RECORD_H
#define BUILD_RECORD_H

/// The commit this binary was built from; empty if the build didn't record one.
const char *build_commit(void);

#endif
