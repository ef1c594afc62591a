// SPDX-License-Identifier: Apache-2.0
// Vectors of four words by AVX2. Only the functions of this file are compiled for it, whatever the rest of the build is.
#include "reference.h"

#if defined(LK_ARGON2_EVERYWHERE)
#define LK_LANES 4
#define LK_FILL lk_argon2_fill_256
#include "fill.h"
#elif defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define LK_LANES 4
#define LK_FILL lk_argon2_fill_256
#include "fill.h"
#pragma clang attribute pop
#endif
