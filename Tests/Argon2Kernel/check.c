// SPDX-License-Identifier: Apache-2.0
// Holds each kernel of Sources/CArgon2Kernel to the vectors of RFC 9106 and to libargon2 on random inputs, in one memory
// each and on several threads, and looks at that memory after each hash. scripts/check-argon2 builds and runs it.
#include <argon2.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "CArgon2Kernel.h"

enum { KERNELS = 3, THREADS = 4, LONGEST = 300 };

#define CHECK(holds, ...)                 \
    do {                                  \
        if (!(holds)) {                   \
            fprintf(stderr, __VA_ARGS__); \
            fputc('\n', stderr);          \
            exit(1);                      \
        }                                 \
    } while (0)

typedef struct {
    int type;
    uint32_t passes, memory_kib, lanes;
    uint8_t password[LONGEST], salt[LONGEST], secret[LONGEST], data[LONGEST];
    size_t password_length, salt_length, secret_length, data_length, tag_length;
} input;

static int hash(lk_argon2_memory *memory, int kernel, const input *in, uint8_t *tag) {
    return lk_argon2_hash(
        memory, kernel, in->type, in->passes, in->memory_kib, in->lanes, in->password, in->password_length, in->salt,
        in->salt_length, in->secret_length ? in->secret : NULL, in->secret_length, in->data_length ? in->data : NULL,
        in->data_length, tag, in->tag_length);
}

static void hash_by_library(const input *in, uint8_t *tag) {
    input copy = *in;
    argon2_context context = {
        .out = tag, .outlen = (uint32_t)in->tag_length,
        .pwd = copy.password, .pwdlen = (uint32_t)in->password_length,
        .salt = copy.salt, .saltlen = (uint32_t)in->salt_length,
        .secret = copy.secret, .secretlen = (uint32_t)in->secret_length,
        .ad = copy.data, .adlen = (uint32_t)in->data_length,
        .t_cost = in->passes, .m_cost = in->memory_kib, .lanes = in->lanes, .threads = 1,
        .version = ARGON2_VERSION_13,
    };
    const int result = argon2_ctx(&context, (argon2_type)in->type);
    CHECK(result == ARGON2_OK, "libargon2: %s", argon2_error_message(result));
}

static void check_wiped(const lk_argon2_memory *memory, const char *when) {
    size_t length;
    const uint8_t *kept = lk_argon2_memory_kept(memory, &length);
    for (size_t i = 0; i < length; i++) CHECK(kept[i] == 0, "%s: octet %zu of the memory is not wiped", when, i);
}

/// RFC 9106, sections 5.1 to 5.3.
static void check_vectors(int kernel) {
    static const char *const tags[3] = {
        "512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb",
        "c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8",
        "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659",
    };
    lk_argon2_memory *memory = lk_argon2_memory_create(64);
    for (int type = 0; type < 3; type++) {
        input in = {
            .type = type, .passes = 3, .memory_kib = 32, .lanes = 4, .password_length = 32, .salt_length = 16,
            .secret_length = 8, .data_length = 12, .tag_length = 32,
        };
        memset(in.password, 1, 32);
        memset(in.salt, 2, 16);
        memset(in.secret, 3, 8);
        memset(in.data, 4, 12);
        uint8_t tag[32];
        char text[65];
        CHECK(hash(memory, kernel, &in, tag) == LK_ARGON2_OK, "kernel %d refuses a vector", kernel);
        for (int i = 0; i < 32; i++) snprintf(text + 2 * i, 3, "%02x", tag[i]);
        CHECK(strcmp(text, tags[type]) == 0, "kernel %d, type %d: %s", kernel, type, text);
        check_wiped(memory, "a vector");
    }
    lk_argon2_memory_destroy(memory);
}

/// xorshift64*: the same inputs for the same seed, wherever it runs.
static uint64_t next(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1du;
}

static uint32_t between(uint64_t *state, uint32_t least, uint32_t most) {
    return least + (uint32_t)((next(state) >> 32) % (most - least + 1));
}

static size_t text(uint64_t *state, uint8_t *octets, uint32_t least, uint32_t most) {
    const uint32_t length = between(state, least, most);
    for (uint32_t i = 0; i < length; i++) octets[i] = (uint8_t)(next(state) >> 56);
    return length;
}

static void make_up(uint64_t *state, input *in) {
    in->type = (int)between(state, 0, 2);
    in->lanes = between(state, 0, 3) ? 1 : between(state, 2, 6);
    in->passes = between(state, 0, 9) ? between(state, 1, 2) : between(state, 3, 5);
    in->memory_kib = 8 * in->lanes + between(state, 0, 24);
    // Now and then segments so long that they need more addresses than one block holds.
    if (between(state, 0, 199) == 0) in->memory_kib = 8 * in->lanes + between(state, 0, 2200);
    in->password_length = text(state, in->password, 0, between(state, 0, 9) ? 40 : LONGEST);
    in->salt_length = text(state, in->salt, 8, between(state, 0, 9) ? 16 : LONGEST);
    in->secret_length = between(state, 0, 3) ? 0 : text(state, in->secret, 0, LONGEST);
    in->data_length = between(state, 0, 3) ? 0 : text(state, in->data, 0, LONGEST);
    in->tag_length = between(state, 0, 3) ? 32 : between(state, 4, LONGEST);
}

typedef struct {
    uint64_t seed;
    long inputs;
} share;

static void *compare(void *argument) {
    const share *mine = argument;
    uint64_t state = mine->seed;
    lk_argon2_memory *memories[KERNELS + 1];
    // So little is kept that some of the hashes need memory beyond it.
    for (int kernel = 1; kernel <= KERNELS; kernel++) {
        CHECK((memories[kernel] = lk_argon2_memory_create(1024)), "no memory");
    }
    static _Thread_local input in;
    for (long i = 0; i < mine->inputs; i++) {
        uint8_t expected[LONGEST], tag[LONGEST];
        make_up(&state, &in);
        hash_by_library(&in, expected);
        for (int kernel = 1; kernel <= KERNELS; kernel++) {
            if (!lk_argon2_has_kernel(kernel)) continue;
            memset(tag, 0, sizeof tag);
            CHECK(hash(memories[kernel], kernel, &in, tag) == LK_ARGON2_OK, "kernel %d refuses", kernel);
            CHECK(memcmp(tag, expected, in.tag_length) == 0,
                "kernel %d differs: seed %llu, input %ld, type %d, m=%u, t=%u, p=%u", kernel,
                (unsigned long long)mine->seed, i, in.type, in.memory_kib, in.passes, in.lanes);
            if (i % 16 == 0) check_wiped(memories[kernel], "a random input");
        }
    }
    for (int kernel = 1; kernel <= KERNELS; kernel++) lk_argon2_memory_destroy(memories[kernel]);
    return NULL;
}

/// What is out of bounds is refused before anything is computed.
static void check_refusals(int kernel) {
    lk_argon2_memory *memory = lk_argon2_memory_create(64);
    uint8_t octets[64] = {0};
#define REFUSED(type, passes, kib, lanes, pw, pwlen, salt, saltlen, tag, taglen)                                 \
    CHECK(lk_argon2_hash(memory, kernel, type, passes, kib, lanes, pw, pwlen, salt, saltlen, NULL, 0, NULL, 0,   \
              tag, taglen) == LK_ARGON2_UNSUPPORTED, "kernel %d takes what is out of bounds, line %d", kernel, __LINE__)
    REFUSED(-1, 1, 8, 1, octets, 8, octets, 8, octets, 32);
    REFUSED(3, 1, 8, 1, octets, 8, octets, 8, octets, 32);
    REFUSED(2, 0, 8, 1, octets, 8, octets, 8, octets, 32);
    REFUSED(2, 1, 7, 1, octets, 8, octets, 8, octets, 32);
    REFUSED(2, 1, 15, 2, octets, 8, octets, 8, octets, 32);
    REFUSED(2, 1, 8, 0, octets, 8, octets, 8, octets, 32);
    REFUSED(2, 1, LK_ARGON2_MAX_KIB, LK_ARGON2_MAX_LANES + 1, octets, 8, octets, 8, octets, 32);
    REFUSED(2, 1, 8, UINT32_MAX / 8 + 2, octets, 8, octets, 8, octets, 32);
    REFUSED(2, 1, LK_ARGON2_MAX_KIB + 1, 1, octets, 8, octets, 8, octets, 32);
    REFUSED(2, 1, 8, 1, NULL, 8, octets, 8, octets, 32);
    REFUSED(2, 1, 8, 1, octets, (size_t)UINT32_MAX + 1, octets, 8, octets, 32);
    REFUSED(2, 1, 8, 1, octets, 8, octets, 7, octets, 32);
    REFUSED(2, 1, 8, 1, octets, 8, NULL, 8, octets, 32);
    REFUSED(2, 1, 8, 1, octets, 8, octets, 8, octets, 3);
    REFUSED(2, 1, 8, 1, octets, 8, octets, 8, NULL, 32);
#undef REFUSED
    size_t length;
    CHECK(lk_argon2_memory_kept(memory, &length) == NULL && length == 0, "what was refused has taken memory");
    lk_argon2_memory_destroy(memory);
}

/// Memory is kept from hash to hash, up to its bound, and given back when told.
static void check_keeping(int kernel) {
    lk_argon2_memory *memory = lk_argon2_memory_create(256);
    input in = {.type = 2, .passes = 1, .memory_kib = 64, .lanes = 1, .salt_length = 8, .tag_length = 32};
    uint8_t tag[32];
    size_t length, before;
    CHECK(hash(memory, kernel, &in, tag) == LK_ARGON2_OK, "refused");
    const uint8_t *kept = lk_argon2_memory_kept(memory, &before);
    CHECK(kept && before >= 64 * 1024, "nothing is kept");
    in.memory_kib = 8;
    CHECK(hash(memory, kernel, &in, tag) == LK_ARGON2_OK, "refused");
    CHECK(lk_argon2_memory_kept(memory, &length) == kept && length == before, "a smaller hash has taken other memory");
    in.memory_kib = 1024;
    CHECK(hash(memory, kernel, &in, tag) == LK_ARGON2_OK, "refused");
    CHECK(lk_argon2_memory_kept(memory, &length) == kept && length == before, "more is kept than may be");
    in.memory_kib = 200;
    CHECK(hash(memory, kernel, &in, tag) == LK_ARGON2_OK, "refused");
    lk_argon2_memory_kept(memory, &length);
    CHECK(length > before, "what is kept does not grow");
    check_wiped(memory, "grown");
    lk_argon2_memory_release(memory);
    CHECK(lk_argon2_memory_kept(memory, &length) == NULL && length == 0, "memory is not given back");
    CHECK(hash(memory, kernel, &in, tag) == LK_ARGON2_OK, "refused");
    lk_argon2_memory_destroy(memory);
}

#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
/// Last: the process gets no more memory afterwards.
static void check_no_memory(void) {
    lk_argon2_memory *memory = lk_argon2_memory_create(LK_ARGON2_MAX_KIB);
    input in = {
        .type = 2, .passes = 1, .memory_kib = LK_ARGON2_MAX_KIB, .lanes = 1, .salt_length = 8, .tag_length = 32};
    uint8_t tag[32];
    const struct rlimit limit = {900u << 20, 900u << 20};
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0, "no limit can be set");
    CHECK(hash(memory, LK_ARGON2_128, &in, tag) == LK_ARGON2_NO_MEMORY, "1 GiB where there is less");
    in.memory_kib = 64;
    CHECK(hash(memory, LK_ARGON2_128, &in, tag) == LK_ARGON2_OK, "no hash after one without memory");
    lk_argon2_memory_destroy(memory);
}
#endif

int main(int count, char **arguments) {
    const long inputs = count > 1 ? atol(arguments[1]) : 100000;
    const uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 10) : 9106;
    for (int kernel = 1; kernel <= KERNELS; kernel++) {
        if (!lk_argon2_has_kernel(kernel)) {
            printf("kernel %d: not on this processor\n", kernel);
            continue;
        }
        check_vectors(kernel);
        check_refusals(kernel);
        check_keeping(kernel);
        printf("kernel %d: vectors, bounds and memory hold\n", kernel);
    }
    pthread_t threads[THREADS];
    share shares[THREADS];
    for (int i = 0; i < THREADS; i++) {
        shares[i] = (share){.seed = (seed + (uint64_t)i) * 0x9e3779b97f4a7c15u | 1, .inputs = inputs / THREADS};
        CHECK(pthread_create(&threads[i], NULL, compare, &shares[i]) == 0, "no thread");
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
    check_no_memory();
#endif
    printf("%ld random inputs on %d threads: as libargon2, seed %llu\n", inputs / THREADS * THREADS, THREADS,
        (unsigned long long)seed);
    return 0;
}
