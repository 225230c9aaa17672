/* How often each step occurs among samples. */

#include "labels.h"

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
