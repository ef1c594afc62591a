// SPDX-License-Identifier: Apache-2.0
// Where a block's second input lies.
#ifndef LATCHKEY_ARGON2_REFERENCE_H
#define LATCHKEY_ARGON2_REFERENCE_H

#include "run.h"

/// Whether the addresses of a segment come of a counter and not of what was computed from the password: then the time that
/// memory takes tells nothing of it (RFC 9106, section 3.4.1.3).
static inline int lk_is_data_independent(const lk_run *run, lk_place place) {
    return run->type == 1 || (run->type == 2 && place.pass == 0 && place.slice < LK_SLICES / 2);
}

/// The index in the matrix of the block that J1 (the low half of `pair`) and J2 name for the block at `index` of its
/// segment (section 3.4.2).
static inline size_t lk_reference(const lk_run *run, lk_place place, uint32_t index, uint64_t pair) {
    uint32_t lane = place.lane;
    if (run->lanes > 1 && (place.pass > 0 || place.slice > 0)) lane = (uint32_t)(pair >> 32) % run->lanes;

    // W: what is filled of the lane, without the segment under way; of the own lane also that, without the block just
    // before. Of another lane the last block is left out for the first of a segment.
    uint32_t count = place.pass == 0 ? place.slice * run->segment_length : run->lane_length - run->segment_length;
    if (lane == place.lane) {
        count += index - 1;
    } else if (index == 0) {
        count -= 1;
    }

    uint64_t x = (uint32_t)pair;
    x = x * x >> 32;
    uint32_t position = count - 1 - (uint32_t)((uint64_t)count * x >> 32);

    // The oldest block of W: the segment after the one under way, from the second pass on.
    if (place.pass > 0 && place.slice < LK_SLICES - 1) position += (place.slice + 1) * run->segment_length;
    if (position >= run->lane_length) position -= run->lane_length;
    return (size_t)lane * run->lane_length + position;
}

#endif
