// SPDX-License-Identifier: Apache-2.0
#include "blake2b.h"

#include "wipe.h"

/// RFC 7693, section 2.6.
static const uint64_t initial[8] = {
    0x6a09e667f3bcc908u, 0xbb67ae8584caa73bu, 0x3c6ef372fe94f82bu, 0xa54ff53a5f1d36f1u,
    0x510e527fade682d1u, 0x9b05688c2b3e6c1fu, 0x1f83d9abfb41bd6bu, 0x5be0cd19137e2179u,
};

/// Section 2.7. Rounds 10 and 11 are as 0 and 1.
static const uint8_t schedule[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

static uint64_t load64(const uint8_t *octets) {
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--) word = word << 8 | octets[i];
    return word;
}

static inline uint64_t rotate(uint64_t word, int by) { return word >> by | word << (64 - by); }

/// Section 3.1.
static inline void mix(uint64_t v[16], int a, int b, int c, int d, uint64_t x, uint64_t y) {
    v[a] += v[b] + x;
    v[d] = rotate(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = rotate(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = rotate(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = rotate(v[b] ^ v[c], 63);
}

/// Section 3.2, of the block that is held.
static void compress(lk_blake2b *hash, int is_last) {
    uint64_t m[16], v[16];
    for (int i = 0; i < 16; i++) m[i] = load64(hash->block + 8 * i);
    for (int i = 0; i < 8; i++) {
        v[i] = hash->state[i];
        v[i + 8] = initial[i];
    }
    v[12] ^= hash->counted;
    if (is_last) v[14] = ~v[14];
    for (int round = 0; round < 12; round++) {
        const uint8_t *s = schedule[round % 10];
        mix(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
        mix(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
        mix(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
        mix(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
        mix(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
        mix(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
        mix(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
        mix(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
    }
    for (int i = 0; i < 8; i++) hash->state[i] ^= v[i] ^ v[i + 8];
    lk_wipe(m, sizeof m);
    lk_wipe(v, sizeof v);
}

void lk_blake2b_begin(lk_blake2b *hash, size_t length) {
    memset(hash, 0, sizeof *hash);
    memcpy(hash->state, initial, sizeof initial);
    // No key, no tree (section 2.5).
    hash->state[0] ^= 0x01010000u ^ (uint64_t)length;
    hash->length = length;
}

void lk_blake2b_add(lk_blake2b *hash, const void *octets, size_t length) {
    const uint8_t *next = octets;
    while (length > 0) {
        // A full block is compressed when more follows: the last one is told from the others.
        if (hash->filled == LK_BLAKE2B_BLOCK) {
            hash->counted += LK_BLAKE2B_BLOCK;
            compress(hash, 0);
            hash->filled = 0;
        }
        size_t room = LK_BLAKE2B_BLOCK - hash->filled;
        size_t taken = length < room ? length : room;
        memcpy(hash->block + hash->filled, next, taken);
        hash->filled += taken;
        next += taken;
        length -= taken;
    }
}

void lk_blake2b_add_u32(lk_blake2b *hash, uint32_t number) {
    const uint8_t octets[4] = {
        (uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16), (uint8_t)(number >> 24),
    };
    lk_blake2b_add(hash, octets, sizeof octets);
}

void lk_blake2b_end(lk_blake2b *hash, uint8_t *digest) {
    memset(hash->block + hash->filled, 0, LK_BLAKE2B_BLOCK - hash->filled);
    hash->counted += hash->filled;
    compress(hash, 1);
    for (size_t i = 0; i < hash->length; i++) digest[i] = (uint8_t)(hash->state[i / 8] >> 8 * (i % 8));
    lk_wipe(hash, sizeof *hash);
}

void lk_argon2_long_hash(const uint8_t *octets, size_t length, uint8_t *digest, size_t digest_length) {
    lk_blake2b hash;
    lk_blake2b_begin(&hash, digest_length < LK_BLAKE2B_LENGTH ? digest_length : LK_BLAKE2B_LENGTH);
    lk_blake2b_add_u32(&hash, (uint32_t)digest_length);
    lk_blake2b_add(&hash, octets, length);
    if (digest_length <= LK_BLAKE2B_LENGTH) {
        lk_blake2b_end(&hash, digest);
        return;
    }
    uint8_t link[LK_BLAKE2B_LENGTH];
    lk_blake2b_end(&hash, link);
    // The first half of each link of the chain, and the whole of the last.
    while (digest_length > LK_BLAKE2B_LENGTH) {
        memcpy(digest, link, LK_BLAKE2B_LENGTH / 2);
        digest += LK_BLAKE2B_LENGTH / 2;
        digest_length -= LK_BLAKE2B_LENGTH / 2;
        lk_blake2b_begin(&hash, digest_length < LK_BLAKE2B_LENGTH ? digest_length : LK_BLAKE2B_LENGTH);
        lk_blake2b_add(&hash, link, sizeof link);
        lk_blake2b_end(&hash, link);
    }
    memcpy(digest, link, digest_length);
    lk_wipe(link, sizeof link);
}
