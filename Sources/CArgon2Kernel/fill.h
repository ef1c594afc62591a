// SPDX-License-Identifier: Apache-2.0
// Fills a segment of the matrix (RFC 9106, sections 3.4 to 3.6). Included once for each width of vector, with
// LK_LANES: words in a vector, 2, 4 or 8, and LK_FILL: the function's name.
//
// A vector holds pairs of words of as many permutations P as it has pairs: pair k of each vector belongs to the k-th of
// them. Then no step of P moves words between pairs. In the second half of G (by columns) blocks lie in memory like that;
// for the first half (by rows) as many rows as a vector has pairs are transposed, and back.
//
// The includer has included reference.h: before it says for which instructions what follows is compiled.

enum { PAIRS = LK_LANES / 2, ROW = 16 / LK_LANES, VECTORS = LK_BLOCK_WORDS / LK_LANES };

typedef uint64_t vector __attribute__((vector_size(8 * LK_LANES), may_alias));

#define INLINE static inline __attribute__((always_inline))

#if LK_LANES == 2
#define SHUFFLE(a, b, w0, w1) __builtin_shufflevector(a, b, w0, 2 + w1)
#elif LK_LANES == 4
#define SHUFFLE(a, b, w0, w1) __builtin_shufflevector(a, b, w0, 4 + w1, 2 + w0, 6 + w1)
#else
#define SHUFFLE(a, b, w0, w1) \
    __builtin_shufflevector(a, b, w0, 8 + w1, 2 + w0, 10 + w1, 4 + w0, 12 + w1, 6 + w0, 14 + w1)
#endif
/// Of each pair the second word of `a` and the first of `b`.
#define CROSS(a, b) SHUFFLE(a, b, 1, 0)

/// The multiplication of BlaMka, with the sum (section 3.6).
#define MIX(a, b) (a) += (b) + 2 * (((a) & 0xffffffffu) * ((b) & 0xffffffffu))
#define ROTATE(a, by) (a) = (a) >> (by) | (a) << (64 - (by))

/// GB of section 3.6, on two sets of words at once: each waits for its own products alone.
INLINE void mix_columns(vector x[8]) {
#define HALF(r1, r2)                                       \
    MIX(x[0], x[2]); MIX(x[1], x[3]);                      \
    x[6] ^= x[0]; x[7] ^= x[1];                            \
    ROTATE(x[6], r1); ROTATE(x[7], r1);                    \
    MIX(x[4], x[6]); MIX(x[5], x[7]);                      \
    x[2] ^= x[4]; x[3] ^= x[5];                            \
    ROTATE(x[2], r2); ROTATE(x[3], r2)
    HALF(32, 24);
    HALF(16, 63);
#undef HALF
}

/// P: `x[i]` holds the words 2i and 2i + 1.
INLINE void permute(vector x[8]) {
    mix_columns(x);
    // The diagonals of the four by four words become columns, ...
    vector b = CROSS(x[2], x[3]), d = CROSS(x[7], x[6]), c = x[4];
    x[3] = CROSS(x[3], x[2]);
    x[7] = CROSS(x[6], x[7]);
    x[2] = b;
    x[6] = d;
    x[4] = x[5];
    x[5] = c;
    mix_columns(x);
    // ... and diagonals again.
    b = CROSS(x[3], x[2]), d = CROSS(x[6], x[7]), c = x[4];
    x[3] = CROSS(x[2], x[3]);
    x[7] = CROSS(x[7], x[6]);
    x[2] = b;
    x[6] = d;
    x[4] = x[5];
    x[5] = c;
}

/// From `PAIRS` rows, one after the other, to one vector for each pair of words, or back: it is its own inverse but for the
/// order.
INLINE void gather(vector x[8], const vector *rows) {
#if LK_LANES == 2
    for (int i = 0; i < 8; i++) x[i] = rows[i];
#elif LK_LANES == 4
    for (int i = 0; i < 4; i++) {
        x[2 * i] = __builtin_shufflevector(rows[i], rows[i + 4], 0, 1, 4, 5);
        x[2 * i + 1] = __builtin_shufflevector(rows[i], rows[i + 4], 2, 3, 6, 7);
    }
#else
    for (int i = 0; i < 2; i++) {
        vector low1 = __builtin_shufflevector(rows[i], rows[i + 2], 0, 1, 2, 3, 8, 9, 10, 11);
        vector high1 = __builtin_shufflevector(rows[i], rows[i + 2], 4, 5, 6, 7, 12, 13, 14, 15);
        vector low2 = __builtin_shufflevector(rows[i + 4], rows[i + 6], 0, 1, 2, 3, 8, 9, 10, 11);
        vector high2 = __builtin_shufflevector(rows[i + 4], rows[i + 6], 4, 5, 6, 7, 12, 13, 14, 15);
        x[4 * i] = __builtin_shufflevector(low1, low2, 0, 1, 4, 5, 8, 9, 12, 13);
        x[4 * i + 1] = __builtin_shufflevector(low1, low2, 2, 3, 6, 7, 10, 11, 14, 15);
        x[4 * i + 2] = __builtin_shufflevector(high1, high2, 0, 1, 4, 5, 8, 9, 12, 13);
        x[4 * i + 3] = __builtin_shufflevector(high1, high2, 2, 3, 6, 7, 10, 11, 14, 15);
    }
#endif
}

INLINE void scatter(vector *rows, const vector x[8]) {
#if LK_LANES == 2
    for (int i = 0; i < 8; i++) rows[i] = x[i];
#elif LK_LANES == 4
    for (int i = 0; i < 4; i++) {
        rows[i] = __builtin_shufflevector(x[2 * i], x[2 * i + 1], 0, 1, 4, 5);
        rows[i + 4] = __builtin_shufflevector(x[2 * i], x[2 * i + 1], 2, 3, 6, 7);
    }
#else
    for (int i = 0; i < 2; i++) {
        const vector *y = x + 4 * i;
        vector low1 = __builtin_shufflevector(y[0], y[1], 0, 1, 2, 3, 8, 9, 10, 11);
        vector high1 = __builtin_shufflevector(y[0], y[1], 4, 5, 6, 7, 12, 13, 14, 15);
        vector low2 = __builtin_shufflevector(y[2], y[3], 0, 1, 2, 3, 8, 9, 10, 11);
        vector high2 = __builtin_shufflevector(y[2], y[3], 4, 5, 6, 7, 12, 13, 14, 15);
        rows[i] = __builtin_shufflevector(low1, low2, 0, 1, 4, 5, 8, 9, 12, 13);
        rows[i + 2] = __builtin_shufflevector(low1, low2, 2, 3, 6, 7, 10, 11, 14, 15);
        rows[i + 4] = __builtin_shufflevector(high1, high2, 0, 1, 4, 5, 8, 9, 12, 13);
        rows[i + 6] = __builtin_shufflevector(high1, high2, 2, 3, 6, 7, 10, 11, 14, 15);
    }
#endif
}

/// The first half of G (section 3.5), by rows. From the second pass on what stood in the block is added to the result.
INLINE void compress_rows(lk_scratch *scratch, const lk_block *before, const lk_block *reference, const lk_block *old) {
    const vector *x = (const vector *)before->words, *y = (const vector *)reference->words;
    const vector *o = old ? (const vector *)old->words : NULL;
    vector *mixed = (vector *)scratch->mixed.words, *rows = (vector *)scratch->rows.words;
    for (int i = 0; i < VECTORS; i += 8) {
        vector sum[8], words[8];
        for (int j = 0; j < 8; j++) {
            sum[j] = x[i + j] ^ y[i + j];
            mixed[i + j] = o ? sum[j] ^ o[i + j] : sum[j];
        }
        gather(words, sum);
        permute(words);
        scatter(rows + i, words);
    }
}

/// The columns of the `column`-th vector of each row, and the result's words there.
INLINE uint64_t compress_columns(lk_scratch *scratch, lk_block *result, int column) {
    const vector *mixed = (const vector *)scratch->mixed.words + column;
    const vector *rows = (const vector *)scratch->rows.words + column;
    vector *z = (vector *)result->words + column;
    vector words[8];
    for (int i = 0; i < 8; i++) words[i] = rows[i * ROW];
    permute(words);
    for (int i = 0; i < 8; i++) z[i * ROW] = words[i] ^ mixed[i * ROW];
    return words[0][0] ^ mixed[0][0];
}

INLINE void prefetch(const lk_block *block, int first, int count) {
    for (int i = first; i < first + count; i++) __builtin_prefetch((const char *)block + 64 * i);
}

static void next_addresses(const lk_run *run) {
    lk_scratch *scratch = run->scratch;
    scratch->input.words[6] += 1;
    const lk_block *in = &scratch->input;
    for (int time = 0; time < 2; time++) {
        compress_rows(scratch, &scratch->zeros, in, NULL);
        for (int column = 0; column < ROW; column++) compress_columns(scratch, &scratch->addresses, column);
        in = &scratch->addresses;
    }
}

void LK_FILL(const lk_run *run, lk_place place) {
    lk_scratch *scratch = run->scratch;
    const int independent = lk_is_data_independent(run, place);
    if (independent) {
        uint64_t *input = scratch->input.words;
        input[0] = place.pass;
        input[1] = place.lane;
        input[2] = place.slice;
        input[3] = run->blocks;
        input[4] = run->passes;
        input[5] = run->type;
        input[6] = 0;
        next_addresses(run);
    }

    lk_block *lane = run->matrix + (size_t)place.lane * run->lane_length;
    // The first two blocks of each lane are H''s.
    uint32_t index = place.pass == 0 && place.slice == 0 ? 2 : 0;
    uint32_t position = place.slice * run->segment_length + index;
    const lk_block *before = lane + (position == 0 ? run->lane_length : position) - 1;
    uint64_t pair = independent ? scratch->addresses.words[index] : before->words[0];
    const lk_block *reference = run->matrix + lk_reference(run, place, index, pair);

    for (; index < run->segment_length; index++, position++) {
        lk_block *block = lane + position;
        compress_rows(scratch, before, reference, place.pass > 0 ? block : NULL);
        // The first word is there before the others, and with it the next reference: it is fetched meanwhile.
        uint64_t first = compress_columns(scratch, block, 0);
        uint32_t next = index + 1;
        if (next < run->segment_length) {
            if (independent) {
                // What is under way stands in the scratch that new addresses need.
                pair = next % LK_BLOCK_WORDS == 0 ? 0 : scratch->addresses.words[next % LK_BLOCK_WORDS];
            } else {
                pair = first;
            }
            reference = run->matrix + lk_reference(run, place, next, pair);
            prefetch(reference, 0, LK_BLOCK_OCTETS / 64);
        }
        for (int column = 1; column < ROW; column++) compress_columns(scratch, block, column);
        if (independent && next % LK_BLOCK_WORDS == 0 && next < run->segment_length) {
            next_addresses(run);
            reference = run->matrix + lk_reference(run, place, next, scratch->addresses.words[0]);
        }
        before = block;
    }
}
