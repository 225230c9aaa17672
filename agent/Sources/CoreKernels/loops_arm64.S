// The loops of core_kernels.h for arm64. Between a loop's label and its branch there are only the
// instructions its method names and the counter; tools/kernels checks this.

#if defined(__aarch64__) || defined(__arm64__)

#ifdef __APPLE__
#define SYMBOL(name) _##name
#else
#define SYMBOL(name) name
#endif

        .text

        .globl  SYMBOL(core_int64)
        .p2align 6
SYMBOL(core_int64):                     // x0 loops, x1 the running value
        mov     x2, #3
        mov     x3, #7
        mov     x4, #1
        .p2align 5
core_int64_loop:
        madd    x1, x1, x2, x3
        sub     x1, x1, x3
        sdiv    x1, x1, x2
        add     x1, x1, x4
        subs    x0, x0, #1
        b.ne    core_int64_loop
        mov     x0, x1
        ret

        .globl  SYMBOL(core_fp64)
        .p2align 6
SYMBOL(core_fp64):                      // x0 loops, d0 the running value
        fmov    d1, #3.0
        fmov    d2, #7.0
        fmov    d3, #1.0
        .p2align 5
core_fp64_loop:
        fmadd   d0, d0, d1, d2
        fsub    d0, d0, d2
        fdiv    d0, d0, d1
        fadd    d0, d0, d3
        subs    x0, x0, #1
        b.ne    core_fp64_loop
        ret

        .globl  SYMBOL(core_neon)
        .p2align 6
SYMBOL(core_neon):                      // x0 loops, x1 the three vectors
        ldp     q1, q2, [x1]
        ldr     q3, [x1, #32]
        fneg    v4.4s, v2.4s
        .p2align 5
core_neon_loop:
        fmul    v0.4s, v1.4s, v3.4s
        faddp   v0.4s, v0.4s, v0.4s
        faddp   v0.4s, v0.4s, v0.4s
        fadd    v1.4s, v1.4s, v2.4s
        fmul    v5.4s, v1.4s, v3.4s
        faddp   v5.4s, v5.4s, v5.4s
        faddp   v5.4s, v5.4s, v5.4s
        fadd    v1.4s, v1.4s, v4.4s
        subs    x0, x0, #2
        b.ne    core_neon_loop
        mov     v0.16b, v5.16b
        ret

        .globl  SYMBOL(core_empty)
        .p2align 6
SYMBOL(core_empty):                     // x0 loops
        mov     x1, x0
        .p2align 5
core_empty_loop:
        subs    x1, x1, #1
        b.ne    core_empty_loop
        mov     x0, x1
        ret

        .globl  SYMBOL(core_empty_pairs)
        .p2align 6
SYMBOL(core_empty_pairs):                     // x0 loops
        mov     x1, x0
        .p2align 5
core_empty_pairs_loop:
        subs    x1, x1, #2
        b.ne    core_empty_pairs_loop
        mov     x0, x1
        ret

#ifdef __ELF__
        .section .note.GNU-stack, "", %progbits
#endif

#endif
