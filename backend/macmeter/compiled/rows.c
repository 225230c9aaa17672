/* Elements of arrays, labels of runs and owners, and rows by the label of their run. */

#include "labels.h"

#define GATHER(type) { \
    const type *from = array; \
    type *to = found; \
    if (wide) for (int64_t i = 0; i < count; i++) to[i] = from[((const int64_t *)at)[i]]; \
    else for (int64_t i = 0; i < count; i++) to[i] = from[((const int32_t *)at)[i]]; \
    break; }

LOOP void gather(const void *array, int size, const void *at, int wide, int64_t count, void *found) {
    switch (size) {
    case 1: GATHER(uint8_t)
    case 2: GATHER(uint16_t)
    case 4: GATHER(uint32_t)
    default: GATHER(uint64_t)
    }
}

INLINE void label(
    int codes_width, int width, const void *codes, const uint32_t *numbers, const uint8_t *mask,
    uint32_t beyond, const int32_t *owners, const int64_t *starts, int64_t count, void *found,
    void *found_owners
) {
    for (int64_t owner = 0; owner < count; owner++) {
        uint32_t of_owner = 0;
        for (int64_t run = starts[owner]; run < starts[owner + 1]; run++) {
            uint32_t one = codes ? numbers[label_at(codes, codes_width, run)] : 0;
            if (mask && !mask[run]) one = beyond;
            set_label(found, width, run, one);
            if (run == starts[owner]) of_owner = one;
            else if (one != of_owner) of_owner = beyond + 1;
        }
        set_label(found_owners, width, owners[owner], of_owner);
    }
}

#define LABEL(codes_width, width) label( \
    codes_width, width, codes, numbers, mask, beyond, owners, starts, count, found, found_owners)
#define LABEL_OF(codes_width) switch (width) { \
    case 1: LABEL(codes_width, 1); break; \
    case 2: LABEL(codes_width, 2); break; \
    default: LABEL(codes_width, 4); \
    }

LOOP void label_runs(
    int codes_width, int width, const void *codes, const uint32_t *numbers, const uint8_t *mask,
    uint32_t beyond, const int32_t *owners, const int64_t *starts, int64_t count, void *found,
    void *found_owners
) {
    switch (codes_width) {
    case 1: LABEL_OF(1); break;
    case 2: LABEL_OF(2); break;
    default: LABEL_OF(4);
    }
}

/* In four tables, one after another: rows that follow each other mostly have the same label, and one
   would have to wait until the last one is counted. */
INLINE void count(
    int width, const void *labels, const int32_t *run, int64_t rows, int64_t across, int64_t *found
) {
    int64_t row = 0;
    for (; row + 4 <= rows; row += 4) {
        found[label_at(labels, width, run[row])]++;
        found[across + label_at(labels, width, run[row + 1])]++;
        found[2 * across + label_at(labels, width, run[row + 2])]++;
        found[3 * across + label_at(labels, width, run[row + 3])]++;
    }
    for (; row < rows; row++) found[label_at(labels, width, run[row])]++;
}

LOOP void count_rows(
    int width, const void *labels, const int32_t *run, int64_t rows, int64_t across, int64_t *found
) {
    switch (width) {
    case 1: count(1, labels, run, rows, across, found); break;
    case 2: count(2, labels, run, rows, across, found); break;
    default: count(4, labels, run, rows, across, found);
    }
}

/* -- Of rows at `places`, or of all -------------------------------------------------------- */

/* How many rows of each label have each code, of which there are `across`. */
LOOP void count_codes(
    int width, const void *labels, const int32_t *run, const int64_t *places, int64_t rows,
    int codes_width, const void *codes, int64_t across, int64_t *found
) {
    for (int64_t place = 0; place < rows; place++) {
        int64_t row = places ? places[place] : place;
        int64_t label = label_at(labels, width, run[row]);
        found[label * across + label_at(codes, codes_width, row)]++;
    }
}

/* Whether any row of each label has each code of its run. */
LOOP void mark_codes(
    int width, const void *labels, const int32_t *run, const int64_t *places, int64_t rows,
    int codes_width, const void *codes, int64_t across, uint8_t *found
) {
    for (int64_t place = 0; place < rows; place++) {
        int32_t own = run[places ? places[place] : place];
        found[label_at(labels, width, own) * across + label_at(codes, codes_width, own)] = 1;
    }
}

/* The sum of what the rows of each label count. */
LOOP void sum_counts(
    int width, const void *labels, const int32_t *run, const int64_t *places, int64_t rows,
    const uint16_t *counts, int64_t *found
) {
    for (int64_t place = 0; place < rows; place++) {
        int64_t row = places ? places[place] : place;
        found[label_at(labels, width, run[row])] += counts[row];
    }
}

/* -- Places by label ------------------------------------------------------------------------ */

/* Those beyond come last: as often as they are not wanted, a branch would be guessed wrong. */
INLINE void order(
    int width, const void *labels, const int32_t *run, int64_t rows, int64_t *next, int32_t *found
) {
    for (int64_t row = 0; row < rows; row++)
        found[next[label_at(labels, width, run[row])]++] = (int32_t)row;
}

LOOP void order_rows(
    int width, const void *labels, const int32_t *run, int64_t rows, int64_t *next, int32_t *found
) {
    switch (width) {
    case 1: order(1, labels, run, rows, next, found); break;
    case 2: order(2, labels, run, rows, next, found); break;
    default: order(4, labels, run, rows, next, found);
    }
}

/* -- Runs by label ---------------------------------------------------------------------------- */

/* The first of each label below `beyond` in the order of `runs`, of those that `having` has a bit
   for, from the label's `next` to its `ends`; `missing` is the room for all. A run after the last
   one is never looked at. */
INLINE void first(
    int width, const void *labels, const int32_t *runs, const uint8_t *having, uint32_t beyond,
    int64_t missing, int64_t count, int64_t *next, const int64_t *ends, int32_t *found
) {
    for (const int32_t *end = runs + count; missing && runs < end; runs++) {
        uint32_t label = label_at(labels, width, *runs);
        if (label >= beyond || !(having[*runs >> 3] & 0x80 >> (*runs & 7))) continue;
        if (next[label] == ends[label]) continue;
        found[next[label]++] = *runs;
        missing--;
    }
}

LOOP void first_runs(
    int width, const void *labels, const int32_t *runs, const uint8_t *having, uint32_t beyond,
    int64_t missing, int64_t count, int64_t *next, const int64_t *ends, int32_t *found
) {
    switch (width) {
    case 1: first(1, labels, runs, having, beyond, missing, count, next, ends, found); break;
    case 2: first(2, labels, runs, having, beyond, missing, count, next, ends, found); break;
    default: first(4, labels, runs, having, beyond, missing, count, next, ends, found);
    }
}

/* -- Runs by their ids ------------------------------------------------------------------------ */

#define ID 16

/* The place of each wanted id among `ids`, which ascend in the order `by_id`; -1 of those that are
   not there. */
LOOP void find_ids(
    const uint8_t *ids, const int32_t *by_id, int64_t count, const uint8_t *wanted, int64_t many,
    int64_t *found
) {
    for (int64_t one = 0; one < many; one++) {
        int64_t low = 0, high = count;
        while (low < high) {
            int64_t middle = (low + high) / 2;
            if (memcmp(ids + ID * by_id[middle], wanted + ID * one, ID) < 0) low = middle + 1;
            else high = middle;
        }
        int is_there = low < count && !memcmp(ids + ID * by_id[low], wanted + ID * one, ID);
        found[one] = is_there ? by_id[low] : -1;
    }
}

/* -- Runs that are chosen ------------------------------------------------------------------- */

/* Most stretches are of few runs, of whose bytes a multiplication makes the sum. */
LOOP void count_chosen(
    const uint8_t *mask, const int64_t *starts, int64_t stretches, int32_t *found
) {
    int64_t runs = starts[stretches];
    for (int64_t one = 0; one < stretches; one++) {
        int64_t run = starts[one], end = starts[one + 1];
        int32_t chosen = 0;
        if (end - run < 8 && run + 8 <= runs) {
            uint64_t bytes;
            memcpy(&bytes, mask + run, sizeof bytes);
            bytes &= ((uint64_t)1 << 8 * (end - run)) - 1;
            chosen = (int32_t)(bytes * 0x0101010101010101u >> 56);
        } else {
            for (; run < end; run++) chosen += mask[run];
        }
        found[one] = chosen;
    }
}

/* By code how many runs have it, and in a row of bytes which machines: those of even owners. */
LOOP void mark_machines(
    const int32_t *codes, const int32_t *owners, const uint8_t *mask, int64_t runs,
    int64_t machines, int64_t *found_runs, uint8_t *found
) {
    for (int64_t run = 0; run < runs; run++) {
        uint8_t chosen = mask ? mask[run] : 1;
        found_runs[codes[run]] += chosen;
        found[codes[run] * machines + (owners[run] >> 1)] |= chosen & ~owners[run] & 1;
    }
}
