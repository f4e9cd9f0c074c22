// Flat sparse leaves of 8^3 with masks and a ready 27-entry neighbour table: what a sparse stencil can cost.
#pragma once
#include <unordered_map>

#include "harness.h"

// The lanes of v whose bit in k is set, zero elsewhere.
static inline __m256 keep(uint8_t k, __m256 v) {
#ifdef __AVX512VL__
    return _mm256_maskz_mov_ps(k, v);
#else
    const __m256i bit = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
    __m256i on = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(k), bit), bit);
    return _mm256_and_ps(v, _mm256_castsi256_ps(on));
#endif
}
// The row one cell to the left or right of v along z: its own lanes moved by one, the missing one from the neighbour.
static inline __m256 from_left(__m256 v, const float *neighbour_row) {
    const __m256i lanes = _mm256_set_epi32(6, 5, 4, 3, 2, 1, 0, 7);
    return _mm256_blend_ps(_mm256_permutevar8x32_ps(v, lanes), _mm256_broadcast_ss(neighbour_row + 7), 1);
}
static inline __m256 from_right(__m256 v, const float *neighbour_row) {
    const __m256i lanes = _mm256_set_epi32(0, 7, 6, 5, 4, 3, 2, 1);
    return _mm256_blend_ps(_mm256_permutevar8x32_ps(v, lanes), _mm256_broadcast_ss(neighbour_row), 128);
}
static inline float horizontal_sum(__m256 v) {
    float o[8], s = 0;
    _mm256_storeu_ps(o, v);
    for (float x : o)
        s += x;
    return s;
}

struct alignas(64) LeafBlock {
    float v[512];
};

struct Leaves {
    size_t count;                    // leaf `count` is the empty one
    std::vector<uint32_t> neighbour; // 27 a leaf, x slowest
    std::vector<uint64_t> mask;      // 8 words a leaf
    Array<LeafBlock> a, b;

    explicit Leaves(const std::vector<int> &origin)
        : count(origin.size() / 3), neighbour(count * 27), mask((count + 1) * 8), a(count + 1), b(count + 1) {
        auto key = [](int x, int y, int z) { return (uint64_t(x) << 42) | (uint64_t(y) << 21) | uint64_t(z); };
        std::unordered_map<uint64_t, uint32_t> id;
        for (size_t n = 0; n < count; ++n)
            id[key(origin[n * 3], origin[n * 3 + 1], origin[n * 3 + 2])] = uint32_t(n);
        for (size_t n = 0; n < count; ++n) {
            int x = origin[n * 3], y = origin[n * 3 + 1], z = origin[n * 3 + 2];
            for (int i = 0; i < 512; ++i) {
                int X = x + (i >> 6), Y = y + (i >> 3 & 7), Z = z + (i & 7);
                if (!in_set(X, Y, Z))
                    continue;
                a[n].v[i] = value_of(X, Y, Z);
                mask[n * 8 + (i >> 6)] |= uint64_t(1) << (i & 63);
            }
            for (int i = 0; i < 27; ++i) {
                auto it = id.find(key(x + (i / 9 - 1) * 8, y + (i / 3 % 3 - 1) * 8, z + (i % 3 - 1) * 8));
                neighbour[n * 27 + i] = it == id.end() ? uint32_t(count) : it->second;
            }
        }
    }
    // Row r (x * 8 + y) of leaf n: its eight activity bits.
    uint8_t row_mask(size_t n, int r) const { return uint8_t(mask[n * 8 + r / 8] >> (r % 8 * 8)); }

    static std::vector<int> origins() {
        std::vector<int> origin;
        for (int x = 304; x < 720; x += 8)
            for (int y = 304; y < 720; y += 8)
                for (int z = 304; z < 720; z += 8) {
                    bool any = false;
                    for (int i = 0; i < 512 && !any; ++i)
                        any = in_set(x + (i >> 6), y + (i >> 3 & 7), z + (i & 7));
                    if (any)
                        origin.insert(origin.end(), {x, y, z});
                }
        return origin;
    }
};

static inline void leaf_laplacian(const Leaves &l, size_t n) {
    const uint32_t *q = &l.neighbour[n * 27];
    auto leaf = [&](int i) { return l.a[q[i]].v; };
    const float *c = l.a[n].v, *xm = leaf(4), *xp = leaf(22), *ym = leaf(10), *yp = leaf(16), *zm = leaf(12),
                *zp = leaf(14);
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 8; ++y) {
            int o = x * 64 + y * 8;
            __m256 v = _mm256_load_ps(c + o);
            __m256 x0 = _mm256_load_ps(x > 0 ? c + o - 64 : xm + 448 + y * 8);
            __m256 x1 = _mm256_load_ps(x < 7 ? c + o + 64 : xp + y * 8);
            __m256 y0 = _mm256_load_ps(y > 0 ? c + o - 8 : ym + x * 64 + 56);
            __m256 y1 = _mm256_load_ps(y < 7 ? c + o + 8 : yp + x * 64);
            __m256 z0 = from_left(v, zm + o), z1 = from_right(v, zp + o);
            __m256 s =
                _mm256_add_ps(_mm256_add_ps(_mm256_add_ps(x1, x0), _mm256_add_ps(y0, y1)), _mm256_add_ps(z1, z0));
            s = _mm256_fnmadd_ps(_mm256_set1_ps(6.f), v, s);
            _mm256_store_ps(l.b[n].v + o, keep(l.row_mask(n, x * 8 + y), s));
        }
}

// Separable: z, then y, then x.
static inline void leaf_box27(const Leaves &l, size_t n) {
    const uint32_t *q = &l.neighbour[n * 27];
    alignas(64) float zs[10][10][8], ys[10][8][8];
    for (int x = 0; x < 10; ++x)
        for (int y = 0; y < 10; ++y) {
            int bx = x == 0 ? 0 : x == 9 ? 2 : 1, by = y == 0 ? 0 : y == 9 ? 2 : 1;
            int o = ((x + 7) & 7) * 64 + ((y + 7) & 7) * 8;
            const uint32_t *w = q + bx * 9 + by * 3;
            __m256 v = _mm256_load_ps(l.a[w[1]].v + o);
            __m256 left = from_left(v, l.a[w[0]].v + o), right = from_right(v, l.a[w[2]].v + o);
            _mm256_store_ps(zs[x][y], _mm256_add_ps(_mm256_add_ps(left, v), right));
        }
    for (int x = 0; x < 10; ++x)
        for (int y = 0; y < 8; ++y) {
            __m256 s = _mm256_add_ps(_mm256_load_ps(zs[x][y]), _mm256_load_ps(zs[x][y + 1]));
            _mm256_store_ps(ys[x][y], _mm256_add_ps(s, _mm256_load_ps(zs[x][y + 2])));
        }
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 8; ++y) {
            __m256 s = _mm256_add_ps(_mm256_load_ps(ys[x][y]), _mm256_load_ps(ys[x + 1][y]));
            s = _mm256_mul_ps(_mm256_set1_ps(1.f / 27.f), _mm256_add_ps(s, _mm256_load_ps(ys[x + 2][y])));
            _mm256_store_ps(l.b[n].v + x * 64 + y * 8, keep(l.row_mask(n, x * 8 + y), s));
        }
}

static void leaf_rows(const Harness &h) {
    if (!h.wants_any({"leaf_sum", "leaf_laplacian", "leaf_box27"}))
        return;
    const Leaves l(Leaves::origins());
    auto active_sum = [&] {
        double s = 0;
        for (size_t n = 0; n < l.count; ++n)
            for (int i = 0; i < 512; ++i)
                if (l.mask[n * 8 + (i >> 6)] >> (i & 63) & 1)
                    s += l.b[n].v[i];
        return s;
    };
    double result = 0;
    h.row(
        "leaf_sum",
        [&] {
            double s = 0;
#pragma omp parallel for reduction(+ : s) schedule(dynamic, 256)
            for (size_t n = 0; n < l.count; ++n) {
                __m256 q = _mm256_setzero_ps();
                for (int r = 0; r < 64; ++r)
                    q = _mm256_add_ps(q, keep(l.row_mask(n, r), _mm256_load_ps(l.a[n].v + r * 8)));
                s += horizontal_sum(q);
            }
            result = s;
        },
        [&] { return result; });
    h.row(
        "leaf_laplacian",
        [&] {
#pragma omp parallel for schedule(dynamic, 256)
            for (size_t n = 0; n < l.count; ++n)
                leaf_laplacian(l, n);
        },
        active_sum);
    h.row(
        "leaf_box27",
        [&] {
#pragma omp parallel for schedule(dynamic, 256)
            for (size_t n = 0; n < l.count; ++n)
                leaf_box27(l, n);
        },
        active_sum);
}
