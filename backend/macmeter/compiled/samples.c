/* How often each step occurs among samples, and how those spread. */

#include <math.h>

#include "labels.h"

/* `bases` say where the table of each stretch's group begins, less the least step; at NOWHERE it
   has none. */
#define NOWHERE INT64_MIN

INLINE void add_all(
    int width, const int64_t *bases, const int64_t *starts, int64_t stretches,
    const int16_t *steps, const void *counts, int64_t *found
) {
    for (int64_t one = 0; one < stretches; one++) {
        if (bases[one] == NOWHERE) continue;
        int64_t *table = found + bases[one];
        for (int64_t at = starts[one]; at < starts[one + 1]; at++)
            table[steps[at]] += label_at(counts, width, at);
    }
}

/* Counts have `width` bytes, as labels have. */
LOOP void add_counts(
    int width, const int64_t *bases, const int64_t *starts, int64_t stretches,
    const int16_t *steps, const void *counts, int64_t *found
) {
    switch (width) {
    case 1: add_all(1, bases, starts, stretches, steps, counts, found); break;
    case 2: add_all(2, bases, starts, stretches, steps, counts, found); break;
    default: add_all(4, bases, starts, stretches, steps, counts, found);
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

/* Of samples in order, so many of each value. */
struct spread {
    double samples, low, high, deviation;
};

/* The value at a position among samples, between two ranks of them. */
INLINE double ranked(
    const int64_t *counts, const double *values, int64_t at, double position, int64_t samples
) {
    int64_t below = (int64_t)position, after = below + 1 < samples ? below + 1 : samples - 1;
    int64_t passed = counts[at];
    while (passed <= below) passed += counts[++at];
    double lower = values[at];
    while (passed <= after) passed += counts[++at];
    return lower + (values[at] - lower) * (position - (double)below);
}

/* The spread of each group of samples, whose `counts` are by value in a row of that width: without
   deviation and percentiles where there are fewer than two. */
LOOP void spread_counts(
    const int64_t *counts, int64_t groups, int64_t width, const double *values,
    struct spread *found
) {
    for (int64_t group = 0; group < groups; group++, counts += width, found++) {
        int64_t first = 0, end = width, samples = 0;
        while (first < end && !counts[first]) first++;
        while (first < end && !counts[end - 1]) end--;
        /* Beyond the first: of equal samples the mean is exact, and nothing deviates. */
        double sum = 0;
        for (int64_t at = first; at < end; at++) {
            samples += counts[at];
            sum += (double)counts[at] * (values[at] - values[first]);
        }
        *found = (struct spread){(double)samples, 0, 0, 0};
        if (samples < 2) continue;
        double mean = values[first] + sum / (double)samples, squares = 0;
        for (int64_t at = first; at < end; at++) {
            double off = values[at] - mean;
            squares += off * off * (double)counts[at];
        }
        found->deviation = sqrt(squares / (double)(samples - 1));
        double last = (double)(samples - 1);
        found->low = ranked(counts, values, first, last * 0.10, samples);
        found->high = ranked(counts, values, first, last * 0.90, samples);
    }
}
