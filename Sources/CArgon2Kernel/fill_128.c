// SPDX-License-Identifier: Apache-2.0
// Vectors of two words: what every processor of 64 bits that the server runs on has at least.
#include "reference.h"

#define LK_LANES 2
#define LK_FILL lk_argon2_fill_128
#include "fill.h"
