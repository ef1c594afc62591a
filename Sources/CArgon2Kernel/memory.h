// SPDX-License-Identifier: Apache-2.0
#ifndef LATCHKEY_ARGON2_MEMORY_H
#define LATCHKEY_ARGON2_MEMORY_H

#include "CArgon2Kernel.h"

/// `octets` of zeros on a page's boundary: of what is kept where that may be so large, else for this hash alone. `NULL`
/// without memory.
void *lk_argon2_memory_take(lk_argon2_memory *memory, size_t octets);

/// Wipes the `octets` that were taken, and keeps them or gives them back.
void lk_argon2_memory_put(lk_argon2_memory *memory, void *taken, size_t octets);

#endif
