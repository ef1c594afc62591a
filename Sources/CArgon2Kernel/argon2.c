// SPDX-License-Identifier: Apache-2.0
// Argon2 around the filling of its matrix (RFC 9106, sections 3.2 and 3.4).
#include "blake2b.h"
#include "memory.h"
#include "run.h"
#include "wipe.h"

enum { VERSION = 0x13, SEED_LENGTH = LK_BLAKE2B_LENGTH };

_Static_assert(sizeof(lk_block) == LK_BLOCK_OCTETS, "a block is 1,024 octets");

int lk_argon2_has_kernel(int kernel) {
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    // The words of a block are little-endian; a processor with the other order has them from the system's library.
    (void)kernel;
    return 0;
#else
    switch (kernel) {
    case LK_ARGON2_128: return 1;
#if defined(LK_ARGON2_EVERYWHERE)
    case LK_ARGON2_256:
    case LK_ARGON2_512: return 1;
#elif defined(__x86_64__)
    case LK_ARGON2_256:
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx2") != 0;
    case LK_ARGON2_512:
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
#endif
    default: return 0;
    }
#endif
}

int lk_argon2_best_kernel(void) {
#if !defined(__OPTIMIZE__)
    return LK_ARGON2_NO_KERNEL;
#else
    if (lk_argon2_has_kernel(LK_ARGON2_512)) return LK_ARGON2_512;
    if (lk_argon2_has_kernel(LK_ARGON2_256)) return LK_ARGON2_256;
#if defined(__SSE2__) || defined(__ARM_NEON)
    if (lk_argon2_has_kernel(LK_ARGON2_128)) return LK_ARGON2_128;
#endif
    return LK_ARGON2_NO_KERNEL;
#endif
}

static lk_fill *fill_of(int kernel) {
    if (!lk_argon2_has_kernel(kernel)) return NULL;
    switch (kernel) {
#if defined(__x86_64__) || defined(LK_ARGON2_EVERYWHERE)
    case LK_ARGON2_256: return lk_argon2_fill_256;
    case LK_ARGON2_512: return lk_argon2_fill_512;
#endif
    default: return lk_argon2_fill_128;
    }
}

static void add_counted(lk_blake2b *hash, const uint8_t *octets, size_t length) {
    lk_blake2b_add_u32(hash, (uint32_t)length);
    lk_blake2b_add(hash, octets, length);
}

/// The first two blocks of each lane: H' of H0 and where the block is. The seed has room for both numbers behind H0.
static void begin_lanes(const lk_run *run, uint8_t seed[SEED_LENGTH + 8]) {
    for (uint32_t lane = 0; lane < run->lanes; lane++) {
        for (uint8_t column = 0; column < 2; column++) {
            const uint8_t place[8] = {
                column, 0, 0, 0, (uint8_t)lane, (uint8_t)(lane >> 8), (uint8_t)(lane >> 16), (uint8_t)(lane >> 24),
            };
            memcpy(seed + SEED_LENGTH, place, sizeof place);
            lk_block *block = run->matrix + (size_t)lane * run->lane_length + column;
            lk_argon2_long_hash(seed, SEED_LENGTH + sizeof place, (uint8_t *)block->words, LK_BLOCK_OCTETS);
        }
    }
}

static void fill(const lk_run *run, lk_fill *segment) {
    for (uint32_t pass = 0; pass < run->passes; pass++) {
        for (uint32_t slice = 0; slice < LK_SLICES; slice++) {
            for (uint32_t lane = 0; lane < run->lanes; lane++) {
                segment(run, (lk_place){.pass = pass, .slice = slice, .lane = lane});
            }
        }
    }
}

/// H' of the sum of the lanes' last blocks.
static void finish(const lk_run *run, uint8_t *tag, size_t tag_length) {
    lk_block *sum = run->matrix + run->lane_length - 1;
    for (uint32_t lane = 1; lane < run->lanes; lane++) {
        const lk_block *last = sum + (size_t)lane * run->lane_length;
        for (int i = 0; i < LK_BLOCK_WORDS; i++) sum->words[i] ^= last->words[i];
    }
    lk_argon2_long_hash((const uint8_t *)sum->words, LK_BLOCK_OCTETS, tag, tag_length);
}

static int is_text(const uint8_t *octets, size_t length, size_t least) {
    return length >= least && length <= UINT32_MAX && (octets || length == 0);
}

int lk_argon2_hash(
    lk_argon2_memory *memory, int kernel, int type, uint32_t passes, uint32_t memory_kib, uint32_t lanes,
    const uint8_t *password, size_t password_length, const uint8_t *salt, size_t salt_length,
    const uint8_t *secret, size_t secret_length, const uint8_t *data, size_t data_length,
    uint8_t *tag, size_t tag_length) {
    lk_fill *segment = fill_of(kernel);
    if (!memory || !segment || type < LK_ARGON2_D || type > LK_ARGON2_ID || passes < 1) return LK_ARGON2_UNSUPPORTED;
    if (lanes < 1 || lanes > LK_ARGON2_MAX_LANES || memory_kib < 8 * lanes || memory_kib > LK_ARGON2_MAX_KIB) {
        return LK_ARGON2_UNSUPPORTED;
    }
    if (!is_text(password, password_length, 0) || !is_text(salt, salt_length, 8) || !is_text(tag, tag_length, 4)
        || !is_text(secret, secret_length, 0) || !is_text(data, data_length, 0)) {
        return LK_ARGON2_UNSUPPORTED;
    }

    lk_run run = {.passes = passes, .lanes = lanes, .type = (uint32_t)type};
    run.segment_length = memory_kib / (LK_SLICES * lanes);
    run.lane_length = run.segment_length * LK_SLICES;
    run.blocks = run.lane_length * lanes;
    const size_t octets = (size_t)run.blocks * LK_BLOCK_OCTETS + sizeof(lk_scratch);
    uint8_t *taken = lk_argon2_memory_take(memory, octets);
    if (!taken) return LK_ARGON2_NO_MEMORY;
    run.matrix = (lk_block *)taken;
    run.scratch = (lk_scratch *)(taken + (size_t)run.blocks * LK_BLOCK_OCTETS);

    lk_blake2b hash;
    lk_blake2b_begin(&hash, SEED_LENGTH);
    const uint32_t numbers[6] = {lanes, (uint32_t)tag_length, memory_kib, passes, VERSION, (uint32_t)type};
    for (int i = 0; i < 6; i++) lk_blake2b_add_u32(&hash, numbers[i]);
    add_counted(&hash, password, password_length);
    add_counted(&hash, salt, salt_length);
    add_counted(&hash, secret, secret_length);
    add_counted(&hash, data, data_length);
    uint8_t seed[SEED_LENGTH + 8];
    lk_blake2b_end(&hash, seed);

    begin_lanes(&run, seed);
    lk_wipe(seed, sizeof seed);
    fill(&run, segment);
    finish(&run, tag, tag_length);
    lk_argon2_memory_put(memory, taken, octets);
    return LK_ARGON2_OK;
}
