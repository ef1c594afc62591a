// SPDX-License-Identifier: Apache-2.0
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <stddef.h>
#include <stdint.h>

/* Copies entry `index` of a table of `count` entries, each of `words` words. Every word of the table is read, so that
   neither a branch nor an address depends on `index`. */
static inline void latchkey_table_entry(
    uint64_t *out, const uint64_t *table, size_t count, size_t words, size_t index) {
    for (size_t word = 0; word < words; word++) out[word] = 0;
    for (size_t entry = 0; entry < count; entry++) {
        /* All ones where the two are equal: only zero less one has the top bit set. */
        const uint64_t mask = 0 - ((((uint64_t)entry ^ (uint64_t)index) - 1) >> 63);
        for (size_t word = 0; word < words; word++) out[word] |= table[entry * words + word] & mask;
    }
}
