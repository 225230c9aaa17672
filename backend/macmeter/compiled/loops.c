/* Loops over a million rows that numpy would take in several passes, with an array for each.

   loops.py has a function for each of these and says what they return; it alone calls them, with
   arrays that it has checked. Labels are whole numbers of 1, 2 or 4 bytes, whose `width` each loop
   is compiled for. Nothing here allocates, and nothing is written but what is named `found`, `next`,
   `scratch` and `spare`. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LOOP __attribute__((visibility("default")))
#define INLINE static inline __attribute__((always_inline))

/* What is beyond every code of a drive. */
#define BEYOND INT32_MAX
/* More values are sorted by halves. */
#define FEW 512

INLINE uint32_t label_at(const void *labels, int width, int64_t at) {
    switch (width) {
    case 1: return ((const uint8_t *)labels)[at];
    case 2: return ((const uint16_t *)labels)[at];
    default: return ((const uint32_t *)labels)[at];
    }
}

INLINE void set_label(void *labels, int width, int64_t at, uint32_t label) {
    switch (width) {
    case 1: ((uint8_t *)labels)[at] = (uint8_t)label; break;
    case 2: ((uint16_t *)labels)[at] = (uint16_t)label; break;
    default: ((uint32_t *)labels)[at] = label;
    }
}

/* -- Elements of an array ------------------------------------------------------------------- */

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

/* -- Labels of runs and owners -------------------------------------------------------------- */

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

/* -- Rows by label -------------------------------------------------------------------------- */

INLINE void count(
    int width, const void *labels, const int32_t *run, int64_t rows, int64_t *found
) {
    for (int64_t row = 0; row < rows; row++) found[label_at(labels, width, run[row])]++;
}

LOOP void count_rows(
    int width, const void *labels, const int32_t *run, int64_t rows, int64_t *found
) {
    switch (width) {
    case 1: count(1, labels, run, rows, found); break;
    case 2: count(2, labels, run, rows, found); break;
    default: count(4, labels, run, rows, found);
    }
}

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

/* -- Cells: the rows of one owner with one label -------------------------------------------- */

/* A part's rows by owner, in each of which they ascend by value: `struct part` of loops.py. */
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

struct cells {
    double *medians;
    /* All of them NULL where they are known. */
    int32_t *owner, *sizes, *least, *greatest;
};

/* What is worked out of one owner: by label, and of its rows. Everything of labels is as before
   when the next owner comes. */
struct scratch {
    int32_t *sizes, *ends, *least, *greatest;
    /* The labels that it has. */
    uint32_t *labels;
    /* Its values by label. */
    double *values;
};

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

INLINE uint32_t of_owner(const struct part *part, int width) {
    return label_at(part->of_owners, width, part->owners[part->at]);
}

/* The label of all rows of an owner that is in one part alone, where it is one, or beyond. */
INLINE uint32_t only_label(const struct part *parts, int count, int width, int32_t owner) {
    int one = 0;
    while (one < count - 1 && !has(&parts[one], owner)) one++;
    return of_owner(&parts[one], width);
}

/* Counts the rows of an owner by label, without a branch that would be guessed wrong as often as
   not; returns how many labels there are. */
INLINE int64_t count_labels(
    int width, const struct part *parts, int count, int32_t owner, struct scratch *scratch
) {
    int64_t labels = 0;
    for (int one = 0; one < count; one++) {
        const struct part *part = &parts[one];
        if (!has(part, owner)) continue;
        for (int32_t row = part->starts[part->at]; row < part->starts[part->at + 1]; row++) {
            uint32_t label = label_at(part->labels, width, part->run[row]);
            scratch->labels[labels] = label;
            labels += scratch->sizes[label]++ == 0;
        }
    }
    return labels;
}

INLINE void count_of(
    int width, struct part *parts, int count, uint32_t beyond, struct scratch *scratch,
    int64_t *found
) {
    int having;
    int32_t owner = -1;
    while ((owner = next_owner(parts, count, owner, &having)) >= 0) {
        if (having == 1) {
            uint32_t only = only_label(parts, count, width, owner);
            if (only < beyond) found[only]++;
            if (only <= beyond) continue;
        }
        int64_t labels = count_labels(width, parts, count, owner, scratch);
        for (int64_t one = 0; one < labels; one++) {
            found[scratch->labels[one]]++;
            scratch->sizes[scratch->labels[one]] = 0;
        }
    }
}

LOOP void count_cells(
    int width, struct part *parts, int count, uint32_t beyond, struct scratch *scratch,
    int64_t *found
) {
    switch (width) {
    case 1: count_of(1, parts, count, beyond, scratch, found); break;
    case 2: count_of(2, parts, count, beyond, scratch, found); break;
    default: count_of(4, parts, count, beyond, scratch, found);
    }
}

INLINE void take_known(const struct part *part, int64_t cell, struct cells *found) {
    found->medians[cell] = part->medians[part->at];
    if (!found->owner) return;
    found->owner[cell] = part->owners[part->at];
    found->sizes[cell] = part->starts[part->at + 1] - part->starts[part->at];
    found->least[cell] = part->least[part->at];
    found->greatest[cell] = part->greatest[part->at];
}

/* The values of an owner by label, ascending in each part, and the drives of each label. */
INLINE void take_apart(
    int width, const struct part *parts, int count, int32_t owner, struct scratch *scratch
) {
    for (int one = 0; one < count; one++) {
        const struct part *part = &parts[one];
        if (!has(part, owner)) continue;
        for (int32_t row = part->starts[part->at]; row < part->starts[part->at + 1]; row++) {
            uint32_t label = label_at(part->labels, width, part->run[row]);
            scratch->values[scratch->ends[label]++] = part->values[row];
        }
        if (!part->drives) continue;
        for (int32_t row = part->starts[part->at]; row < part->starts[part->at + 1]; row++) {
            int32_t run = part->run[row];
            uint32_t label = label_at(part->labels, width, run);
            int32_t drive = part->drives[run];
            /* What is not stated is neither this drive nor another one. */
            int32_t stated = drive ? drive : BEYOND;
            int32_t least = scratch->least[label], greatest = scratch->greatest[label];
            scratch->least[label] = stated < least ? stated : least;
            scratch->greatest[label] = drive > greatest ? drive : greatest;
        }
    }
}

static int ascending(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* Values of several parts, each of which ascend: where there are few, those of the later parts find
   their places among the others. */
static void sort(double *values, int32_t count) {
    if (count > FEW) {
        qsort(values, (size_t)count, sizeof *values, ascending);
        return;
    }
    for (int32_t next = 1; next < count; next++) {
        double value = values[next];
        int32_t at = next;
        for (; at > 0 && values[at - 1] > value; at--) values[at] = values[at - 1];
        values[at] = value;
    }
}

INLINE void fill(
    int width, struct part *parts, int count, uint32_t beyond, struct scratch *scratch,
    int64_t *next, struct cells *found
) {
    int having;
    int32_t owner = -1;
    while ((owner = next_owner(parts, count, owner, &having)) >= 0) {
        if (having == 1) {
            uint32_t only = only_label(parts, count, width, owner);
            if (only < beyond)
                for (int one = 0; one < count; one++)
                    if (has(&parts[one], owner)) take_known(&parts[one], next[only]++, found);
            if (only <= beyond) continue;
        }
        int64_t labels = count_labels(width, parts, count, owner, scratch);
        int32_t first = 0;
        for (int64_t one = 0; one < labels; one++) {
            scratch->ends[scratch->labels[one]] = first;
            first += scratch->sizes[scratch->labels[one]];
        }
        take_apart(width, parts, count, owner, scratch);
        for (int64_t one = 0; one < labels; one++) {
            uint32_t label = scratch->labels[one];
            int32_t size = scratch->sizes[label];
            double *values = scratch->values + scratch->ends[label] - size;
            if (label < beyond) {
                if (having > 1) sort(values, size);
                int64_t cell = next[label]++;
                double lower = values[(size - 1) / 2], upper = values[size / 2];
                found->medians[cell] = lower + (upper - lower) * (size % 2 ? 0.0 : 0.5);
                if (found->owner) {
                    found->owner[cell] = owner;
                    found->sizes[cell] = size;
                    found->least[cell] = scratch->least[label];
                    found->greatest[cell] = scratch->greatest[label];
                }
            }
            scratch->sizes[label] = 0;
            scratch->least[label] = BEYOND;
            scratch->greatest[label] = 0;
        }
    }
}

LOOP void fill_cells(
    int width, struct part *parts, int count, uint32_t beyond, struct scratch *scratch,
    int64_t *next, struct cells *found
) {
    switch (width) {
    case 1: fill(1, parts, count, beyond, scratch, next, found); break;
    case 2: fill(2, parts, count, beyond, scratch, next, found); break;
    default: fill(4, parts, count, beyond, scratch, next, found);
    }
}

/* -- Steps of samples ----------------------------------------------------------------------- */

/* `bases` say where the table of each stretch's group begins, less the least step; at NOWHERE it
   has none. */
#define NOWHERE INT64_MIN

LOOP void add_counts(
    const int64_t *bases, const int64_t *starts, int64_t stretches, const int16_t *steps,
    const int32_t *counts, int64_t *found
) {
    for (int64_t one = 0; one < stretches; one++) {
        if (bases[one] == NOWHERE) continue;
        int64_t *table = found + bases[one];
        for (int64_t at = starts[one]; at < starts[one + 1]; at++) table[steps[at]] += counts[at];
    }
}

/* The same of single samples: of rows at `places`, or of all; `each` of them a row, or those
   between its `starts`. */
INLINE void add(
    int width, const void *labels, const int32_t *run, const int64_t *places, int64_t rows,
    const int64_t *bases, const int64_t *starts, int64_t each, const int16_t *steps, int64_t *found
) {
    for (int64_t place = 0; place < rows; place++) {
        int64_t row = places ? places[place] : place;
        int64_t base = bases[label_at(labels, width, run[row])];
        if (base == NOWHERE) continue;
        int64_t first = starts ? starts[row] : row * each;
        int64_t last = starts ? starts[row + 1] : first + each;
        for (int64_t at = first; at < last; at++) (found + base)[steps[at]]++;
    }
}

LOOP void add_samples(
    int width, const void *labels, const int32_t *run, const int64_t *places, int64_t rows,
    const int64_t *bases, const int64_t *starts, int64_t each, const int16_t *steps, int64_t *found
) {
    switch (width) {
    case 1: add(1, labels, run, places, rows, bases, starts, each, steps, found); break;
    case 2: add(2, labels, run, places, rows, bases, starts, each, steps, found); break;
    default: add(4, labels, run, places, rows, bases, starts, each, steps, found);
    }
}

/* -- Sorting -------------------------------------------------------------------------------- */

/* Digits of 11 bits: 6 of a value, 3 of a number. Digits that all have in common are passed over,
   as those below the point are of whole values. */
#define BITS 11
#define DIGITS (1 << BITS)
#define OF_VALUE 6
#define OF_NUMBER 3

struct pairs {
    uint64_t *values;
    int32_t *numbers;
};

INLINE uint32_t digit(const struct pairs *pairs, int64_t at, int which) {
    uint64_t of = which < OF_NUMBER ? (uint64_t)(uint32_t)pairs->numbers[at] : pairs->values[at];
    return (of >> BITS * (which < OF_NUMBER ? which : which - OF_NUMBER)) & (DIGITS - 1);
}

/* Values of 0 or more ascend as their bits do; bits of others are turned round, and back again. */
INLINE uint64_t turned(uint64_t bits) {
    return bits ^ (bits >> 63 ? ~(uint64_t)0 : (uint64_t)1 << 63);
}

INLINE uint64_t turned_back(uint64_t bits) {
    return bits ^ (bits >> 63 ? (uint64_t)1 << 63 : ~(uint64_t)0);
}

/* By value and, of equal ones, by number, which is 0 or more. `found` and `spare` change places;
   returns in which of them everything is at the end. */
LOOP int sort_pairs(struct pairs *found, struct pairs *spare, int64_t count) {
    static _Thread_local int64_t counts[OF_NUMBER + OF_VALUE][DIGITS];
    memset(counts, 0, sizeof counts);
    int ascends = 1;
    for (int64_t at = 0; at < count; at++) {
        found->values[at] = turned(found->values[at]);
        ascends &= at == 0 || found->numbers[at - 1] <= found->numbers[at];
        for (int which = 0; which < OF_NUMBER + OF_VALUE; which++)
            counts[which][digit(found, at, which)]++;
    }
    struct pairs *from = found, *to = spare;
    for (int which = ascends ? OF_NUMBER : 0; which < OF_NUMBER + OF_VALUE && count; which++) {
        int64_t *of_digit = counts[which], first = 0;
        if (of_digit[digit(from, 0, which)] == count) continue;
        for (int one = 0; one < DIGITS; one++) {
            int64_t own = of_digit[one];
            of_digit[one] = first;
            first += own;
        }
        for (int64_t at = 0; at < count; at++) {
            int64_t place = of_digit[digit(from, at, which)]++;
            to->values[place] = from->values[at];
            to->numbers[place] = from->numbers[at];
        }
        struct pairs *other = from;
        from = to;
        to = other;
    }
    for (int64_t at = 0; at < count; at++) from->values[at] = turned_back(from->values[at]);
    return from == spare;
}
