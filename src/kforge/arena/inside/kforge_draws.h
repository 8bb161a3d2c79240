/* Random numbers for timed calls, as a plain C interface (libkforge_draws.so): PyTorch would need as many
 * passes over the memory as there are operations here. What the two functions are for is said in
 * python/kforge_arena/draws.py, which loads them into the referee. They know nothing of where the numbers
 * come from, touch nothing else, and may be called by several threads. */
#ifndef KFORGE_DRAWS_H
#define KFORGE_DRAWS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* out = cosine * one + sine * other, each with a sign that follows from `key` and its place. `out` overlaps
 * neither of the others. */
void kf_draws_turn(float* out, const float* one, const float* other, size_t count, float cosine, float sine,
                   uint64_t key);

/* out = one - other with a sign, modulo 1. */
void kf_draws_subtract(float* out, const float* one, const float* other, size_t count, uint64_t key);

#ifdef __cplusplus
}
#endif

#endif
