// SPDX-License-Identifier: Apache-2.0
//
// Argon2 version 1.3 (RFC 9106) on the calling thread, in memory that is kept from one hash to the next, by the widest
// vectors that the processor has. docs/adr/0080-argon2-kernel.md says why it is here.
#ifndef LATCHKEY_ARGON2_KERNEL_H
#define LATCHKEY_ARGON2_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The type of RFC 9106, section 3.2: its number goes into every hash.
enum { LK_ARGON2_D = 0, LK_ARGON2_I = 1, LK_ARGON2_ID = 2 };

/// How many words of 64 bits are worked on at once, and by which instructions.
enum {
    /// None: the build or the processor has no vectors.
    LK_ARGON2_NO_KERNEL = 0,
    /// Two words at once: SSE2, NEON, or what the compiler makes of it.
    LK_ARGON2_128 = 1,
    /// Four words at once, by AVX2.
    LK_ARGON2_256 = 2,
    /// Eight words at once, by AVX-512 (F and BW).
    LK_ARGON2_512 = 3,
};

enum {
    LK_ARGON2_OK = 0,
    /// Parameters out of the bounds below, or a kernel that this processor can't run. Nothing was computed.
    LK_ARGON2_UNSUPPORTED = 1,
    /// The system gave no memory. Nothing was computed.
    LK_ARGON2_NO_MEMORY = 2,
};

/// What one hash may take: 1 GiB, 64 lanes, and texts and tags as long as a `uint32_t` counts.
#define LK_ARGON2_MAX_KIB (1u << 20)
#define LK_ARGON2_MAX_LANES 64u

/// The widest kernel that this build and this processor have and that is worth running: none in a build without
/// optimisation, where the system's library is faster.
int lk_argon2_best_kernel(void);

/// Whether a kernel can run here, worth it or not.
int lk_argon2_has_kernel(int kernel);

/// Memory that one thread keeps between hashes. It holds zeros whenever no hash is being computed in it.
typedef struct lk_argon2_memory lk_argon2_memory;

/// What a hash of `kept_kib` needs is kept; a hash of more has memory for itself alone. `NULL` without memory.
lk_argon2_memory *lk_argon2_memory_create(uint32_t kept_kib);

/// Gives back to the system what is kept. The next hash asks for it again.
void lk_argon2_memory_release(lk_argon2_memory *memory);

void lk_argon2_memory_destroy(lk_argon2_memory *memory);

/// What is kept now, to be looked at between hashes: `NULL` and 0 for nothing.
const uint8_t *lk_argon2_memory_kept(const lk_argon2_memory *memory, size_t *length);

/// Computes a tag. Each text may be `NULL` when it is empty; a salt has at least 8 octets, a tag at least 4, and there are
/// at least 8 KiB for each lane. Lanes are filled one after the other: the result does not depend on it (section 3.2).
///
/// `memory` belongs to the caller for the time of the call. All of it that was used is overwritten with zeros at the end,
/// as is what was computed from the password elsewhere in memory.
int lk_argon2_hash(
    lk_argon2_memory *memory, int kernel, int type, uint32_t passes, uint32_t memory_kib, uint32_t lanes,
    const uint8_t *password, size_t password_length, const uint8_t *salt, size_t salt_length,
    const uint8_t *secret, size_t secret_length, const uint8_t *data, size_t data_length,
    uint8_t *tag, size_t tag_length);

#ifdef __cplusplus
}
#endif

#endif
