#ifndef BUILD_RECORD_H
#define BUILD_RECORD_H

/// The commit this binary was built from, or an empty string where the build did not say.
const char *build_commit(void);

#endif
