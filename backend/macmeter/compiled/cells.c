/* Cells: the rows of one owner with one label. */

#include "parts.h"

/* What is beyond every code of a drive. */
#define BEYOND INT32_MAX
/* More values are sorted by halves. */
#define FEW 512

struct cells {
    double *medians;
    int32_t *owner, *sizes, *least, *greatest;
    /* Cells, and their labels, in the order of owners. */
    int32_t *order;
    uint32_t *labels;
};

/* What is worked out of one owner: by label, and of its rows. Everything of labels is as before
   when the next owner comes. */
struct scratch {
    int32_t *sizes, *ends, *least, *greatest;
    /* The labels that it has. */
    uint32_t *labels;
    /* Of its rows, one part's after another. */
    uint32_t *of_rows;
    /* Its values by label. */
    double *values;
};

/* Of a label the owner's values in the middle: those up to place `lower`, those up to place `upper`
   and those beyond go to one number each, and the last one that came is there in the end. */
struct middle {
    int32_t seen, lower, upper, unused;
    double values[3];
};

/* Which drives the rows of a label have. */
INLINE void add_drive(struct scratch *scratch, uint32_t label, int32_t drive) {
    /* What is not stated is neither this drive nor another one. */
    int32_t stated = drive ? drive : BEYOND;
    int32_t least = scratch->least[label], greatest = scratch->greatest[label];
    scratch->least[label] = stated < least ? stated : least;
    scratch->greatest[label] = drive > greatest ? drive : greatest;
}

/* Counts the rows of an owner by label, without a branch that would be guessed wrong as often as
   not; returns how many labels there are. The drives of each are found in the same pass, where they
   are known: one row has to wait for the last one's count anyway. */
INLINE int64_t count_labels(
    int width, const struct part *parts, int count, int32_t owner, struct scratch *scratch
) {
    int64_t labels = 0;
    uint32_t *of_row = scratch->of_rows;
    for (int one = 0; one < count; one++) {
        const struct part *part = &parts[one];
        if (!has(part, owner)) continue;
        for (int32_t row = part->starts[part->at]; row < part->starts[part->at + 1]; row++) {
            int32_t run = part->run[row];
            uint32_t label = label_at(part->labels, width, run);
            *of_row++ = label;
            scratch->labels[labels] = label;
            labels += scratch->sizes[label]++ == 0;
            if (part->drives) add_drive(scratch, label, part->drives[run]);
        }
    }
    return labels;
}

INLINE void count_even(
    int width, struct part *parts, int count, uint32_t beyond, struct scratch *scratch,
    int64_t *found
) {
    begin(parts, count);
    int having;
    int32_t owner = -1;
    while ((owner = next_owner(parts, count, owner, &having)) >= 0) {
        if (owner % 2) continue;
        uint32_t only = of_all(width, parts, count, owner, beyond);
        if (only < beyond) found[only]++;
        if (only <= beyond) continue;
        int64_t labels = count_labels(width, parts, count, owner, scratch);
        for (int64_t one = 0; one < labels; one++) {
            found[scratch->labels[one]]++;
            scratch->sizes[scratch->labels[one]] = 0;
        }
    }
}

/* How many even owners have rows of each label. */
LOOP void count_machines(
    int width, struct part *parts, int count, uint32_t beyond, struct scratch *scratch,
    int64_t *found
) {
    switch (width) {
    case 1: count_even(1, parts, count, beyond, scratch, found); break;
    case 2: count_even(2, parts, count, beyond, scratch, found); break;
    default: count_even(4, parts, count, beyond, scratch, found);
    }
}

INLINE double between(double lower, double upper, int32_t size) {
    return lower + (upper - lower) * (size % 2 ? 0.0 : 0.5);
}

/* The value at a place among those of two parts together, each of which ascend. */
static double value_at(const double *a, int32_t of_a, const double *b, int32_t of_b, int32_t at) {
    int32_t some = at + 1, low = some > of_b ? some - of_b : 0, high = some < of_a ? some : of_a;
    /* So many of `some` are of a. */
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (b[some - middle - 1] > a[middle]) low = middle + 1;
        else high = middle;
    }
    if (low == 0) return b[some - 1];
    if (low == some) return a[low - 1];
    return a[low - 1] > b[some - low - 1] ? a[low - 1] : b[some - low - 1];
}

/* The median of all values of an owner that is in so many parts, at most two. */
INLINE double known_median(const struct part *parts, int count, int32_t owner, int having) {
    const struct part *part = part_of(parts, count, owner);
    if (having == 1) return part->medians[part->at];
    const struct part *other = part_of(part + 1, count - 1 - (int)(part - parts), owner);
    const double *a = part->values + part->starts[part->at];
    const double *b = other->values + other->starts[other->at];
    int32_t of_a = rows_of(part), of_b = rows_of(other), size = of_a + of_b;
    double lower = value_at(a, of_a, b, of_b, (size - 1) / 2);
    return between(lower, size % 2 ? lower : value_at(a, of_a, b, of_b, size / 2), size);
}

INLINE void take_known(
    const struct part *parts, int count, int32_t owner, int having, int64_t cell,
    struct cells *found
) {
    int32_t size = 0, least = BEYOND, greatest = 0;
    for (const struct part *part = parts; part < parts + count; part++) {
        if (!has(part, owner)) continue;
        size += rows_of(part);
        if (part->least[part->at] < least) least = part->least[part->at];
        if (part->greatest[part->at] > greatest) greatest = part->greatest[part->at];
    }
    found->medians[cell] = known_median(parts, count, owner, having);
    found->owner[cell] = owner;
    found->sizes[cell] = size;
    found->least[cell] = least;
    found->greatest[cell] = greatest;
}

/* The values of an owner by label, ascending in each part. */
INLINE void take_apart(
    const struct part *parts, int count, int32_t owner, struct scratch *scratch
) {
    const uint32_t *of_part = scratch->of_rows;
    for (int one = 0; one < count; one++) {
        const struct part *part = &parts[one];
        if (!has(part, owner)) continue;
        int32_t first = part->starts[part->at], rows = part->starts[part->at + 1] - first;
        const uint32_t *labels = of_part;
        of_part += rows;
        for (int32_t row = 0; row < rows; row++)
            scratch->values[scratch->ends[labels[row]]++] = part->values[first + row];
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

/* The values of an owner by label: where those of each end is in `ends`, and how many there are in
   `sizes`. Returns how many labels there are. */
INLINE int64_t take_values(
    int width, const struct part *parts, int count, int32_t owner, struct scratch *scratch
) {
    int64_t labels = count_labels(width, parts, count, owner, scratch);
    int32_t first = 0;
    for (int64_t one = 0; one < labels; one++) {
        scratch->ends[scratch->labels[one]] = first;
        first += scratch->sizes[scratch->labels[one]];
    }
    take_apart(parts, count, owner, scratch);
    return labels;
}

/* The median of an owner's values with a label, which ascend where they are of one part. */
INLINE double median(const struct scratch *scratch, uint32_t label, int is_sorted) {
    int32_t size = scratch->sizes[label];
    double *values = scratch->values + scratch->ends[label] - size;
    if (!is_sorted) sort(values, size);
    return between(values[(size - 1) / 2], values[size / 2], size);
}

INLINE int64_t collect(
    int width, struct part *parts, int count, uint32_t beyond, struct scratch *scratch,
    int64_t *counts, struct cells *found
) {
    begin(parts, count);
    int having;
    int32_t owner = -1;
    int64_t cell = 0;
    while ((owner = next_owner(parts, count, owner, &having)) >= 0) {
        uint32_t only = of_all(width, parts, count, owner, beyond);
        if (only == beyond) continue;
        if (only < beyond && having <= 2) {
            counts[only]++;
            found->labels[cell] = only;
            take_known(parts, count, owner, having, cell++, found);
            continue;
        }
        int64_t labels = take_values(width, parts, count, owner, scratch);
        for (int64_t one = 0; one < labels; one++) {
            uint32_t label = scratch->labels[one];
            if (label < beyond) {
                counts[label]++;
                found->labels[cell] = label;
                found->medians[cell] = median(scratch, label, having == 1);
                found->owner[cell] = owner;
                found->sizes[cell] = scratch->sizes[label];
                found->least[cell] = scratch->least[label];
                found->greatest[cell++] = scratch->greatest[label];
            }
            scratch->sizes[label] = 0;
            scratch->least[label] = BEYOND;
            scratch->greatest[label] = 0;
        }
    }
    return cell;
}

/* The cells by owner, and how many there are of each label; returns how many there are. */
LOOP int64_t collect_cells(
    int width, struct part *parts, int count, uint32_t beyond, struct scratch *scratch,
    int64_t *counts, struct cells *found
) {
    switch (width) {
    case 1: return collect(1, parts, count, beyond, scratch, counts, found);
    case 2: return collect(2, parts, count, beyond, scratch, counts, found);
    default: return collect(4, parts, count, beyond, scratch, counts, found);
    }
}

/* So many cells, which lie by owner, by label and owner: `next` says where those of each begin. */
LOOP void arrange_cells(
    const struct cells *by_owner, int64_t cells, int64_t *next, struct cells *found
) {
    for (int64_t at = 0; at < cells; at++) {
        uint32_t label = by_owner->labels[at];
        int64_t cell = next[label]++;
        found->labels[at] = label;
        found->order[at] = (int32_t)cell;
        found->medians[cell] = by_owner->medians[at];
        found->owner[cell] = by_owner->owner[at];
        found->sizes[cell] = by_owner->sizes[at];
        found->least[cell] = by_owner->least[at];
        found->greatest[cell] = by_owner->greatest[at];
    }
}

/* The median of an owner's only cell of so many rows: they are looked at up to the middle, without a
   branch that would be guessed wrong. */
INLINE double median_of(
    int width, const struct part *part, uint32_t label, int32_t size, double *own
) {
    const void *labels = part->labels;
    const int32_t *run = part->run;
    const double *values = part->values;
    int32_t upper = size / 2, seen = 0, end = part->starts[part->at + 1];
    for (int32_t row = part->starts[part->at]; row < end && seen <= upper; row++) {
        own[seen] = values[row];
        seen += label_at(labels, width, run[row]) == label;
    }
    return between(own[(size - 1) / 2], own[upper], size);
}

/* The medians of an owner's cells, of which it is known how many rows each has: in one pass over
   its rows, up to the middle of the last one. */
INLINE void medians_of(
    int width, const struct part *part, const struct cells *known, int64_t first, int64_t last,
    uint32_t beyond, struct middle *middles, double *found
) {
    for (int64_t at = first; at < last; at++) {
        struct middle *middle = &middles[known->labels[at]];
        int32_t size = known->sizes[known->order[at]];
        middle->seen = 0;
        middle->lower = (size - 1) / 2;
        middle->upper = size / 2;
    }
    middles[beyond].seen = 0;
    middles[beyond].upper = -1;
    /* Not looked up for each row: what is written may be anything, for all that a compiler knows. */
    const void *labels = part->labels;
    const int32_t *run = part->run;
    const double *values = part->values;
    int32_t end = part->starts[part->at + 1];
    int64_t left = last - first;
    for (int32_t row = part->starts[part->at]; row < end && left; row++) {
        struct middle *middle = &middles[label_at(labels, width, run[row])];
        int32_t seen = middle->seen++;
        middle->values[(seen > middle->lower) + (seen > middle->upper)] = values[row];
        left -= seen == middle->upper;
    }
    for (int64_t at = first; at < last; at++) {
        const struct middle *middle = &middles[known->labels[at]];
        int32_t cell = known->order[at], size = known->sizes[cell];
        double lower = middle->values[0];
        found[cell] = between(lower, size % 2 ? lower : middle->values[1], size);
    }
}

INLINE void find(
    int width, struct part *parts, int count, uint32_t beyond, struct scratch *scratch,
    const struct cells *known, int64_t cells, struct middle *middles, double *found
) {
    begin(parts, count);
    int having;
    int32_t owner = -1;
    int64_t last = 0;
    while ((owner = next_owner(parts, count, owner, &having)) >= 0) {
        int64_t first = last;
        while (last < cells && known->owner[known->order[last]] == owner) last++;
        if (first == last) continue;
        if (having <= 2 && of_all(width, parts, count, owner, beyond) < beyond) {
            found[known->order[first]] = known_median(parts, count, owner, having);
            continue;
        }
        if (having == 1) {
            const struct part *part = part_of(parts, count, owner);
            int32_t cell = known->order[first];
            if (last - first == 1)
                found[cell] = median_of(
                    width, part, known->labels[first], known->sizes[cell], scratch->values
                );
            else medians_of(width, part, known, first, last, beyond, middles, found);
            continue;
        }
        int64_t labels = take_values(width, parts, count, owner, scratch);
        for (int64_t at = first; at < last; at++)
            found[known->order[at]] = median(scratch, known->labels[at], 0);
        for (int64_t one = 0; one < labels; one++) scratch->sizes[scratch->labels[one]] = 0;
    }
}

/* The medians of so many cells that are known, in other rows of the same runs. */
LOOP void find_medians(
    int width, struct part *parts, int count, uint32_t beyond, struct scratch *scratch,
    const struct cells *known, int64_t cells, struct middle *middles, double *found
) {
    switch (width) {
    case 1: find(1, parts, count, beyond, scratch, known, cells, middles, found); break;
    case 2: find(2, parts, count, beyond, scratch, known, cells, middles, found); break;
    default: find(4, parts, count, beyond, scratch, known, cells, middles, found);
    }
}
