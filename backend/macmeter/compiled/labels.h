/* What the loops share. Labels are whole numbers of 1, 2 or 4 bytes, whose `width` each loop is
   compiled for.

   loops.py has a function for each loop and says what it returns; it alone calls them, with arrays
   that it has checked. They allocate nothing, and write nothing but what is named `found`, `next`,
   `scratch` and `spare`. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LOOP __attribute__((visibility("default")))
#define INLINE static inline __attribute__((always_inline))

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
