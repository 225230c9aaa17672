/* Values, alone or with numbers, sorted by their digits. */

#include "labels.h"

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

INLINE uint32_t digit_of(uint64_t value, int which) {
    return (value >> BITS * which) & (DIGITS - 1);
}

INLINE uint32_t digit(const struct pairs *pairs, int64_t at, int which) {
    uint64_t of = which < OF_NUMBER ? (uint64_t)(uint32_t)pairs->numbers[at] : pairs->values[at];
    return digit_of(of, which < OF_NUMBER ? which : which - OF_NUMBER);
}

/* Values of 0 or more ascend as their bits do; bits of others are turned round, and back again. */
INLINE uint64_t turned(uint64_t bits) {
    return bits ^ (bits >> 63 ? ~(uint64_t)0 : (uint64_t)1 << 63);
}

INLINE uint64_t turned_back(uint64_t bits) {
    return bits ^ (bits >> 63 ? (uint64_t)1 << 63 : ~(uint64_t)0);
}

/* Where the elements of each digit begin. */
INLINE void add_up(int64_t *counts) {
    int64_t first = 0;
    for (int one = 0; one < DIGITS; one++) {
        int64_t own = counts[one];
        counts[one] = first;
        first += own;
    }
}

/* `found` in ascending order, with as much room in `spare`. */
LOOP void sort_values(uint64_t *found, uint64_t *spare, int64_t count) {
    static _Thread_local int64_t counts[OF_VALUE][DIGITS];
    memset(counts, 0, sizeof counts);
    for (int64_t at = 0; at < count; at++) {
        found[at] = turned(found[at]);
        for (int which = 0; which < OF_VALUE; which++) counts[which][digit_of(found[at], which)]++;
    }
    uint64_t *from = found, *to = spare;
    for (int which = 0; which < OF_VALUE && count; which++) {
        int64_t *of_digit = counts[which];
        if (of_digit[digit_of(from[0], which)] == count) continue;
        add_up(of_digit);
        for (int64_t at = 0; at < count; at++) to[of_digit[digit_of(from[at], which)]++] = from[at];
        uint64_t *other = from;
        from = to;
        to = other;
    }
    for (int64_t at = 0; at < count; at++) found[at] = turned_back(from[at]);
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
        int64_t *of_digit = counts[which];
        if (of_digit[digit(from, 0, which)] == count) continue;
        add_up(of_digit);
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
