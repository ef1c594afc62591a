// SPDX-License-Identifier: Apache-2.0
// Vectors of eight words by AVX-512 (F and BW), likewise.
#include "reference.h"

#if defined(LK_ARGON2_EVERYWHERE)
#define LK_LANES 8
#define LK_FILL lk_argon2_fill_512
#include "fill.h"
#elif defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw"))), apply_to = function)
#define LK_LANES 8
#define LK_FILL lk_argon2_fill_512
#include "fill.h"
#pragma clang attribute pop
#endif
