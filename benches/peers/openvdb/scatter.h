// p2g: quadratic B-spline mass of a million particles into an empty tree, then clear.
#pragma once
#include <openvdb/tools/Composite.h>

#include <cstring>

#include "build.h"

struct Particle {
    float x, y, z;
};

static std::vector<Particle> make_particles(const std::vector<Voxel> &scan) {
    std::vector<Particle> p(1000000);
    Rng r;
    auto unit = [&] { return float(r.next() >> 40) * (1.0f / 16777216.0f); };
    for (auto &q : p) {
        auto &v = scan[r.next() % scan.size()];
        float jx = unit(), jy = unit(), jz = unit();
        q = {v.x + jx, v.y + jy, v.z + jz};
    }
    return p;
}

static inline void weights(float f, int &b, float w[3]) {
    b = int(std::floor(f - 0.5f));
    float d = f - b;
    w[0] = 0.5f * (1.5f - d) * (1.5f - d);
    w[1] = 0.75f - (d - 1) * (d - 1);
    w[2] = 0.5f * (d - 0.5f) * (d - 0.5f);
}

static inline void scatter(tree::ValueAccessor<Tree> &a, const Particle &p) {
    int bx, by, bz;
    float wx[3], wy[3], wz[3];
    weights(p.x, bx, wx);
    weights(p.y, by, wy);
    weights(p.z, bz, wz);
    if ((bx & 7) <= 5 && (by & 7) <= 5 && (bz & 7) <= 5) { // all 27 nodes in one leaf
        Leaf *l = a.touchLeaf(Coord(bx, by, bz));
        float *d = l->buffer().data();
        Index o = Leaf::coordToOffset(Coord(bx, by, bz));
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                for (int k = 0; k < 3; ++k) {
                    Index q = o + i * 64 + j * 8 + k;
                    d[q] += wx[i] * wy[j] * wz[k];
                    l->setValueOn(q);
                }
        return;
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k) {
                float w = wx[i] * wy[j] * wz[k];
                a.modifyValue(Coord(bx + i, by + j, bz + k), [w](float &x) { x += w; });
            }
}

struct ParticleArray { // binned by base node
    using PosType = Vec3d;
    const std::vector<Particle> *s;
    size_t size() const { return s->size(); }
    void getPos(size_t n, Vec3d &p) const {
        auto &v = (*s)[n];
        p = Vec3d(std::floor(v.x - 0.5f), std::floor(v.y - 0.5f), std::floor(v.z - 0.5f));
    }
};

// One tree per thread, summed at the end. WAY is what a range of the loop does with its tree.
enum class Way { in_order, binned, scratch };
template <Way WAY>
struct Scatter {
    const std::vector<Particle> *p;
    const Partition *part;
    Tree::Ptr t;
    Scatter(const std::vector<Particle> &v, const Partition &q) : p(&v), part(&q), t(new Tree(0.f)) {}
    Scatter(Scatter &o, tbb::split) : p(o.p), part(o.part), t(new Tree(0.f)) {}
    void join(Scatter &o) { tools::compSum(*t, *o.t); }
    void operator()(const Range &r) {
        tree::ValueAccessor<Tree> a(*t);
        for (size_t n = r.begin(); n < r.end(); ++n) {
            if constexpr (WAY == Way::in_order)
                scatter(a, (*p)[n]);
            else if constexpr (WAY == Way::binned)
                for (auto it = part->indices(n); it; ++it)
                    scatter(a, (*p)[*it]);
            else
                bucket(a, n);
        }
    }
    // Accumulates a bucket in a dense 10^3 scratch, flushed to at most 8 leaves.
    void bucket(tree::ValueAccessor<Tree> &a, size_t n) {
        alignas(64) float g[10][10][16];
        std::memset(g, 0, sizeof g);
        Coord o = part->origin(n);
        bool any = false;
        for (auto it = part->indices(n); it; ++it) {
            const Particle &q = (*p)[*it];
            any = true;
            int bx, by, bz;
            float wx[3], wy[3], wz[3];
            weights(q.x, bx, wx);
            weights(q.y, by, wy);
            weights(q.z, bz, wz);
            bx -= o[0];
            by -= o[1];
            bz -= o[2];
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) {
                    float w = wx[i] * wy[j];
                    float *c = &g[bx + i][by + j][bz];
                    for (int k = 0; k < 3; ++k)
                        c[k] += w * wz[k];
                }
        }
        if (!any)
            return;
        for (int i = 0; i < 8; ++i) {
            int A = i >> 2, B = i >> 1 & 1, C = i & 1;
            Leaf *l = nullptr;
            for (int x = A ? 8 : 0; x < (A ? 10 : 8); ++x)
                for (int y = B ? 8 : 0; y < (B ? 10 : 8); ++y)
                    for (int z = C ? 8 : 0; z < (C ? 10 : 8); ++z) {
                        float w = g[x][y][z];
                        if (w == 0.f)
                            continue;
                        if (!l)
                            l = a.touchLeaf(o.offsetBy(A * 8, B * 8, C * 8));
                        Index q = (x & 7) * 64 + (y & 7) * 8 + (z & 7);
                        l->buffer().data()[q] += w;
                        l->setValueOn(q);
                    }
        }
    }
};

template <Way WAY>
static Tree::Ptr scattered(const Harness &h, const std::vector<Particle> &p) {
    Partition part;
    size_t n = p.size();
    if constexpr (WAY != Way::in_order) {
        ParticleArray points{&p};
        static const math::Transform::Ptr unit = math::Transform::createLinearTransform(1.0);
        part.construct(points, *unit, false, false, true);
        n = part.size();
    }
    Scatter<WAY> s(p, part);
    tbb::parallel_reduce(Range(0, n, (n + h.threads - 1) / h.threads), s, tbb::simple_partitioner());
    return s.t;
}

template <Way WAY>
static void scatter_row(const Harness &h, const char *name, const std::vector<Particle> &p) {
    Tree::Ptr t;
    h.row(
        name, [&] { t.reset(); },
        [&] {
            t = scattered<WAY>(h, p);
            t->clear();
        },
        [&] { return print(active_sum(*scattered<WAY>(h, p))); });
}

static void scatter_rows(const Harness &h, const std::vector<Particle> &p) {
    scatter_row<Way::in_order>(h, "p2g", p);
    scatter_row<Way::binned>(h, "p2g.binned", p);
    scatter_row<Way::scratch>(h, "p2g.by_hand", p);
}
