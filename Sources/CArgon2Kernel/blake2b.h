// SPDX-License-Identifier: Apache-2.0
#ifndef LATCHKEY_ARGON2_BLAKE2B_H
#define LATCHKEY_ARGON2_BLAKE2B_H

#include <stddef.h>
#include <stdint.h>

enum { LK_BLAKE2B_BLOCK = 128, LK_BLAKE2B_LENGTH = 64 };

/// BLAKE2b without a key (RFC 7693).
typedef struct {
    uint64_t state[8];
    /// Octets compressed so far. What Argon2 hashes never has 2^64 of them.
    uint64_t counted;
    uint8_t block[LK_BLAKE2B_BLOCK];
    size_t filled;
    size_t length;
} lk_blake2b;

/// - Parameter length: of the digest, 1 to 64 octets.
void lk_blake2b_begin(lk_blake2b *hash, size_t length);
void lk_blake2b_add(lk_blake2b *hash, const void *octets, size_t length);
/// A number in four octets, the least one first.
void lk_blake2b_add_u32(lk_blake2b *hash, uint32_t number);
/// Writes `length` octets and wipes the state.
void lk_blake2b_end(lk_blake2b *hash, uint8_t *digest);

/// H' of RFC 9106, section 3.3: a digest of any length from 1 on.
void lk_argon2_long_hash(const uint8_t *octets, size_t length, uint8_t *digest, size_t digest_length);

#endif
