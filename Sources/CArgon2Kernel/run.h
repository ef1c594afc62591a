// SPDX-License-Identifier: Apache-2.0
#ifndef LATCHKEY_ARGON2_RUN_H
#define LATCHKEY_ARGON2_RUN_H

#include <stddef.h>
#include <stdint.h>

enum {
    LK_BLOCK_WORDS = 128,
    LK_BLOCK_OCTETS = 1024,
    LK_SLICES = 4,
    /// As wide as the widest vector.
    LK_ALIGNMENT = 64,
};

/// A block of RFC 9106: 1,024 octets, on a vector's boundary.
typedef struct {
    _Alignas(64) uint64_t words[LK_BLOCK_WORDS];
} lk_block;

/// What stands beside the matrix while a hash is computed. Wiped with it.
typedef struct {
    /// What goes into the permutation, and what its first half gives.
    lk_block mixed, rows;
    /// Of data-independent addressing (section 3.4.1.1): the counted input, what comes of it, and zeros.
    lk_block input, addresses, zeros;
} lk_scratch;

/// One hash under way.
typedef struct {
    /// Lane after lane.
    lk_block *matrix;
    lk_scratch *scratch;
    /// m', q and a quarter of it.
    uint32_t blocks, lane_length, segment_length;
    uint32_t passes, lanes;
    uint32_t type;
} lk_run;

/// Which segment: they are filled slice by slice, and within a slice in any order (section 3.4).
typedef struct {
    uint32_t pass, slice, lane;
} lk_place;

typedef void lk_fill(const lk_run *run, lk_place place);

/// One for each width. With `LK_ARGON2_EVERYWHERE` defined, which scripts/check-argon2 does, the wide ones are compiled by
/// what instructions every processor has: so they are checked where none has theirs.
lk_fill lk_argon2_fill_128, lk_argon2_fill_256, lk_argon2_fill_512;

#endif
