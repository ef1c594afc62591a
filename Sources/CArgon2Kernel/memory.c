// SPDX-License-Identifier: Apache-2.0
// Linux names memory that is no file's only to those who ask for more than C has.
#define _GNU_SOURCE
#include "memory.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "run.h"
#include "wipe.h"

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

struct lk_argon2_memory {
    void *kept;
    size_t length;
    size_t bound;
};

/// Whole pages of the largest kind that a system may give: half of a huge one would not become one.
static size_t rounded(size_t octets) {
    const size_t unit = octets < ((size_t)1 << 21) ? (size_t)1 << 16 : (size_t)1 << 21;
    return (octets + unit - 1) / unit * unit;
}

/// Pages straight from the system are zeros, begin on a boundary, and go back to it when they are given back.
static void *map(size_t octets) {
    void *pages = mmap(NULL, octets, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return NULL;
#ifdef MADV_HUGEPAGE
    // A matrix is read at random: with pages of 4 KiB the processor looks up more addresses than it remembers. Either wish
    // may be refused, at no loss but that of time.
    madvise(pages, octets, MADV_HUGEPAGE);
#endif
#ifdef MADV_DONTDUMP
    madvise(pages, octets, MADV_DONTDUMP);
#endif
    return pages;
}

lk_argon2_memory *lk_argon2_memory_create(uint32_t kept_kib) {
    lk_argon2_memory *memory = calloc(1, sizeof *memory);
    if (!memory) return NULL;
    if (kept_kib > LK_ARGON2_MAX_KIB) kept_kib = LK_ARGON2_MAX_KIB;
    memory->bound = (size_t)kept_kib * 1024 + sizeof(lk_scratch);
    return memory;
}

void lk_argon2_memory_release(lk_argon2_memory *memory) {
    if (!memory || !memory->kept) return;
    munmap(memory->kept, memory->length);
    memory->kept = NULL;
    memory->length = 0;
}

void lk_argon2_memory_destroy(lk_argon2_memory *memory) {
    lk_argon2_memory_release(memory);
    free(memory);
}

const uint8_t *lk_argon2_memory_kept(const lk_argon2_memory *memory, size_t *length) {
    *length = memory ? memory->length : 0;
    return memory ? memory->kept : NULL;
}

void *lk_argon2_memory_take(lk_argon2_memory *memory, size_t octets) {
    if (octets > memory->bound) return map(rounded(octets));
    if (octets > memory->length) {
        lk_argon2_memory_release(memory);
        memory->kept = map(rounded(octets));
        if (memory->kept) memory->length = rounded(octets);
    }
    return memory->kept;
}

void lk_argon2_memory_put(lk_argon2_memory *memory, void *taken, size_t octets) {
    lk_wipe(taken, octets);
    if (taken != memory->kept) munmap(taken, rounded(octets));
}
