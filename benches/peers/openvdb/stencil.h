// sum, laplacian and box27, each in OpenVDB's own style and by hand.
#pragma once
#include <openvdb/math/Stencils.h>
#include <openvdb/tools/GridOperators.h>

#include <cstring>

#include "harness.h"

// Gathers the 10^3 halo of a leaf into rows of 16; a missing leaf reads as 0. FULL takes corners and edges too.
constexpr int ROW = 16, PLANE = 160;
template <bool FULL, typename Accessor>
static inline void gather(Accessor &acc, const Leaf &l, float *g) {
    const Coord o = l.origin();
    const float *d = l.buffer().data();
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 8; ++y)
            std::memcpy(g + (x + 1) * PLANE + (y + 1) * ROW + 1, d + x * 64 + y * 8, 32);
    for (int a = -1; a <= 1; ++a)
        for (int b = -1; b <= 1; ++b)
            for (int c = -1; c <= 1; ++c) {
                int n = std::abs(a) + std::abs(b) + std::abs(c);
                if (n == 0 || (!FULL && n > 1))
                    continue;
                const Leaf *q = acc.probeConstLeaf(o.offsetBy(a * 8, b * 8, c * 8));
                const float *s = q ? q->buffer().data() : nullptr;
                int x0 = a < 0 ? 7 : 0, x1 = a > 0 ? 0 : 7, y0 = b < 0 ? 7 : 0, y1 = b > 0 ? 0 : 7, z = c < 0 ? 7 : 0;
                for (int x = x0; x <= x1; ++x)
                    for (int y = y0; y <= y1; ++y) {
                        float *t = g + (x + 1 + 8 * a) * PLANE + (y + 1 + 8 * b) * ROW + 1 + 8 * c;
                        if (c != 0)
                            t[z] = s ? s[x * 64 + y * 8 + z] : 0.f;
                        else if (s)
                            std::memcpy(t, s + x * 64 + y * 8, 32);
                        else
                            std::memset(t, 0, 32);
                    }
            }
}

static inline void laplace_block(const float *g, const Leaf &l, float *out) {
    const uint8_t *m = reinterpret_cast<const uint8_t *>(&l.getValueMask());
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 8; ++y) {
            const float *c = g + (x + 1) * PLANE + (y + 1) * ROW + 1;
            float r[8];
            for (int z = 0; z < 8; ++z)
                r[z] = c[z - PLANE] + c[z + PLANE] + c[z - ROW] + c[z + ROW] + c[z - 1] + c[z + 1] - 6.f * c[z];
            uint8_t k = m[x * 8 + y];
            for (int z = 0; z < 8; ++z)
                out[x * 64 + y * 8 + z] = (k >> z & 1) ? r[z] : 0.f;
        }
}

// Separable: z, then y, then x.
static inline void box_block(const float *g, const Leaf &l, float *out) {
    const uint8_t *m = reinterpret_cast<const uint8_t *>(&l.getValueMask());
    float a[10][10][8], b[10][8][8];
    for (int x = 0; x < 10; ++x)
        for (int y = 0; y < 10; ++y) {
            const float *c = g + x * PLANE + y * ROW + 1;
            for (int z = 0; z < 8; ++z)
                a[x][y][z] = c[z - 1] + c[z] + c[z + 1];
        }
    for (int x = 0; x < 10; ++x)
        for (int y = 0; y < 8; ++y)
            for (int z = 0; z < 8; ++z)
                b[x][y][z] = a[x][y][z] + a[x][y + 1][z] + a[x][y + 2][z];
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 8; ++y) {
            uint8_t k = m[x * 8 + y];
            for (int z = 0; z < 8; ++z) {
                float r = (b[x][y][z] + b[x + 1][y][z] + b[x + 2][y][z]) * (1.f / 27.f);
                out[x * 64 + y * 8 + z] = (k >> z & 1) ? r : 0.f;
            }
        }
}

// Sum of one leaf's 512 values under its mask, eight lanes at a time.
static inline double masked_sum(const float *d, const uint8_t *m) {
    float a[8] = {0};
    for (int i = 0; i < 64; ++i)
        for (int z = 0; z < 8; ++z)
            a[z] += (m[i] >> z & 1) ? d[i * 8 + z] : 0.f;
    double s = 0;
    for (float q : a)
        s += q;
    return s;
}

static void sum_rows(const Harness &h, const Tree &tree) {
    CLM leaves(tree);
    double result = 0;
    auto check = [&] { return print(result); };
    h.row(
        "sum", nullptr,
        [&] {
            result = tbb::parallel_reduce(
                leaves.leafRange(64), 0.0,
                [](const CLM::LeafRange &r, double s) {
                    for (auto l = r.begin(); l; ++l)
                        for (auto it = l->cbeginValueOn(); it; ++it)
                            s += *it;
                    return s;
                },
                std::plus<double>());
        },
        check);
    h.row(
        "sum.by_hand", nullptr,
        [&] {
            result = tbb::parallel_reduce(
                leaves.leafRange(64), 0.0,
                [](const CLM::LeafRange &r, double s) {
                    for (auto l = r.begin(); l; ++l)
                        s += masked_sum(l->buffer().data(), reinterpret_cast<const uint8_t *>(&l->getValueMask()));
                    return s;
                },
                std::plus<double>());
        },
        check);
}

static void stencil_rows(const Harness &h, const FloatGrid &grid, Tree &tree) {
    LM leaves(tree, 1);
    auto out = [&](size_t n) { return leaves.getBuffer(n, 1).data(); };
    auto check = [&] {
        double s = 0;
        for (size_t n = 0; n < leaves.leafCount(); ++n)
            for (auto it = leaves.leaf(n).cbeginValueOn(); it; ++it)
                s += out(n)[it.pos()];
        return print(s);
    };
    using Reader = tree::ValueAccessor<const Tree, false>;
    h.row(
        "laplacian", nullptr,
        [&] {
            auto leaf = [&](Leaf &l, size_t n) {
                Reader a(tree);
                float *o = out(n);
                for (auto it = l.cbeginValueOn(); it; ++it) {
                    Coord c = it.getCoord();
                    o[it.pos()] = a.getValue(c.offsetBy(1, 0, 0)) + a.getValue(c.offsetBy(-1, 0, 0)) +
                                  a.getValue(c.offsetBy(0, 1, 0)) + a.getValue(c.offsetBy(0, -1, 0)) +
                                  a.getValue(c.offsetBy(0, 0, 1)) + a.getValue(c.offsetBy(0, 0, -1)) - 6.f * *it;
                }
            };
            leaves.foreach (leaf, true, 16);
        },
        check);
    h.row(
        "laplacian.stencil_class", nullptr,
        [&] {
            tbb::parallel_for(leaves.leafRange(64), [&](const LM::LeafRange &r) {
                math::SevenPointStencil<FloatGrid, false> s(grid);
                for (auto l = r.begin(); l; ++l) {
                    float *o = l.buffer(1).data();
                    for (auto it = l->cbeginValueOn(); it; ++it) {
                        s.moveTo(it);
                        o[it.pos()] = s.getValue<1, 0, 0>() + s.getValue<-1, 0, 0>() + s.getValue<0, 1, 0>() +
                                      s.getValue<0, -1, 0>() + s.getValue<0, 0, 1>() + s.getValue<0, 0, -1>() -
                                      6.f * s.getValue<0, 0, 0>();
                    }
                }
            });
        },
        check);
    FloatGrid::Ptr made;
    h.row(
        "laplacian.tool", [&] { made.reset(); }, [&] { made = tools::laplacian(grid); },
        [&] { return print(active_sum(made->tree())); });
    h.row(
        "laplacian.by_hand", nullptr,
        [&] {
            tbb::parallel_for(leaves.leafRange(64), [&](const LM::LeafRange &r) {
                Reader a(tree);
                alignas(64) float g[10 * PLANE];
                for (auto l = r.begin(); l; ++l) {
                    gather<false>(a, *l, g);
                    laplace_block(g, *l, l.buffer(1).data());
                }
            });
        },
        check);
    h.row(
        "box27", nullptr,
        [&] {
            auto leaf = [&](Leaf &l, size_t n) {
                Reader a(tree);
                float *o = out(n);
                for (auto it = l.cbeginValueOn(); it; ++it) {
                    Coord c = it.getCoord();
                    float s = 0;
                    for (int i = -1; i <= 1; ++i)
                        for (int j = -1; j <= 1; ++j)
                            for (int k = -1; k <= 1; ++k)
                                s += a.getValue(c.offsetBy(i, j, k));
                    o[it.pos()] = s * (1.f / 27.f);
                }
            };
            leaves.foreach (leaf, true, 16);
        },
        check);
    h.row(
        "box27.stencil_class", nullptr,
        [&] {
            tbb::parallel_for(leaves.leafRange(64), [&](const LM::LeafRange &r) {
                math::DenseStencil<FloatGrid, false> s(grid, 1);
                for (auto l = r.begin(); l; ++l) {
                    float *o = l.buffer(1).data();
                    for (auto it = l->cbeginValueOn(); it; ++it) {
                        s.moveTo(it);
                        float q = 0;
                        for (int i = 0; i < 27; ++i)
                            q += s.getValue(i);
                        o[it.pos()] = q * (1.f / 27.f);
                    }
                }
            });
        },
        check);
    h.row(
        "box27.by_hand", nullptr,
        [&] {
            tbb::parallel_for(leaves.leafRange(64), [&](const LM::LeafRange &r) {
                Reader a(tree);
                alignas(64) float g[10 * PLANE];
                for (auto l = r.begin(); l; ++l) {
                    gather<true>(a, *l, g);
                    box_block(g, *l, l.buffer(1).data());
                }
            });
        },
        check);
}
