#include "build_record.h"

const char *build_commit(void) { return MACMETER_COMMIT; }
