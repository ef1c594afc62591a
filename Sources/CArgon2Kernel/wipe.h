// SPDX-License-Identifier: Apache-2.0
#ifndef LATCHKEY_ARGON2_WIPE_H
#define LATCHKEY_ARGON2_WIPE_H

#include <stddef.h>
#include <string.h>

/// Overwrites with zeros, also where nobody reads them afterwards: the empty instruction might, for all that the compiler
/// may assume, so that the writing can't be left out.
static inline void lk_wipe(void *octets, size_t length) {
    if (length == 0) return;
    memset(octets, 0, length);
    __asm__ __volatile__("" : : "r"(octets) : "memory");
}

#endif
