/* Rows by owner, and the owners of several parts one after another. */

#include "labels.h"

/* A part's rows by owner, in each of which they ascend by value: `Part` of declared.py. */
struct part {
    int64_t count;
    const int32_t *owners, *starts;
    const int32_t *run;
    const double *values;
    /* By run the code of its drive; NULL where none is known. */
    const int32_t *drives;
    /* What is known of all rows of each owner. */
    const double *medians;
    const int32_t *least, *greatest;
    const void *labels, *of_owners;
    /* The place of the owner that is looked at, or of the next one. */
    int64_t at;
};

INLINE void begin(struct part *parts, int count) {
    for (int one = 0; one < count; one++) parts[one].at = 0;
}

/* The next owner of any part, and how many have it; -1 after the last. */
INLINE int32_t next_owner(struct part *parts, int count, int32_t before, int *having) {
    int32_t next = INT32_MAX;
    *having = 0;
    for (int one = 0; one < count; one++) {
        struct part *part = &parts[one];
        if (part->at < part->count && part->owners[part->at] == before) part->at++;
        if (part->at < part->count && part->owners[part->at] < next) next = part->owners[part->at];
    }
    for (int one = 0; one < count; one++)
        *having += parts[one].at < parts[one].count && parts[one].owners[parts[one].at] == next;
    return *having ? next : -1;
}

INLINE int has(const struct part *part, int32_t owner) {
    return part->at < part->count && part->owners[part->at] == owner;
}

/* The label of all rows of the owner, where it is one, or beyond. */
INLINE uint32_t of_owner(const struct part *part, int width) {
    return label_at(part->of_owners, width, part->owners[part->at]);
}

/* The first of the parts that has the owner. */
INLINE const struct part *part_of(const struct part *parts, int count, int32_t owner) {
    while (count-- > 1 && !has(parts, owner)) parts++;
    return parts;
}

/* The same of all parts that have the owner; more than beyond also where they differ. */
INLINE uint32_t of_all(
    int width, const struct part *parts, int count, int32_t owner, uint32_t beyond
) {
    const struct part *first = part_of(parts, count, owner), *end = parts + count;
    uint32_t only = of_owner(first, width);
    for (const struct part *part = first + 1; part < end; part++)
        if (has(part, owner) && of_owner(part, width) != only) return beyond + 1;
    return only;
}

INLINE int32_t rows_of(const struct part *part) {
    return part->starts[part->at + 1] - part->starts[part->at];
}
