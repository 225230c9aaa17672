/* How often a sum is as great as it is when the sign of each part is chance. */

#include "labels.h"

#include <math.h>

/* So many of the largest parts have every sign that they can. */
#define SINGLY 8
#define SUMS (1 << SINGLY)
#define LANES 8

/* The chance of a normal value beyond so many deviations, at places that are `step` apart. */
struct tails {
    const double *deviations, *chances;
    int64_t count;
    double step;
};

INLINE int64_t divisor(int64_t one, int64_t other) {
    while (other) {
        int64_t rest = one % other;
        one = other;
        other = rest;
    }
    return one;
}

/* A straight line between two places; beyond the last ones, what is there. */
INLINE double tail_at(const struct tails *tails, double at) {
    const double *known = tails->deviations, *chances = tails->chances;
    int64_t last = tails->count - 1;
    if (at <= known[0]) return chances[0];
    if (at >= known[last]) return chances[last];
    int64_t place = (int64_t)((at - known[0]) / tails->step);
    while (known[place] > at) place--;
    while (known[place + 1] <= at) place++;
    double slope = (chances[place + 1] - chances[place]) / (known[place + 1] - known[place]);
    return slope * (at - known[place]) + chances[place];
}

/* Added up in the order in which numpy adds. */
INLINE double sum_of(const double *values) {
    double halves[2];
    for (int half = 0; half < 2; half++) {
        const double *own = values + half * (SUMS / 2);
        double lane[LANES];
        for (int one = 0; one < LANES; one++) lane[one] = own[one];
        for (int at = LANES; at < SUMS / 2; at += LANES)
            for (int one = 0; one < LANES; one++) lane[one] += own[at + one];
        halves[half] = ((lane[0] + lane[1]) + (lane[2] + lane[3]))
            + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    }
    return halves[0] + halves[1];
}

/* Each part is the surplus of a cluster of that size of which so many are counted, and there are
   more than SINGLY parts. The smaller ones are taken together as normal. */
LOOP double chance_of_surplus(
    const int64_t *sizes, const int64_t *counts, int64_t parts, const struct tails *tails
) {
    int64_t largest[SINGLY] = {0};
    int64_t least = 0, squares = 0, common = 0;
    for (int64_t one = 0; one < parts; one++) {
        int64_t surplus = sizes[one] - 2 * counts[one];
        int64_t size = surplus < 0 ? -surplus : surplus;
        least += surplus;
        if (size > largest[SINGLY - 1]) {
            int64_t gone = largest[SINGLY - 1];
            int at = SINGLY - 1;
            for (; at > 0 && largest[at - 1] < size; at--) largest[at] = largest[at - 1];
            largest[at] = size;
            size = gone;
        }
        squares += size * size;
        if (common != 1) common = divisor(common, size);
    }
    double sums[SUMS];
    for (int which = 0; which < SUMS; which++) {
        int64_t sum = 0;
        for (int one = 0; one < SINGLY; one++)
            sum += which >> one & 1 ? -largest[one] : largest[one];
        sums[which] = (double)sum;
    }
    if (!squares) {
        int64_t as_great = 0;
        for (int which = 0; which < SUMS; which++) as_great += sums[which] >= (double)least;
        return (double)as_great / SUMS;
    }
    /* Sums of whole numbers with signs lie twice their common divisor apart. */
    double spread = sqrt((double)squares), halfway = (double)(least - common);
    for (int which = 0; which < SUMS; which++)
        sums[which] = tail_at(tails, (halfway - sums[which]) / spread);
    return sum_of(sums) / SUMS;
}
