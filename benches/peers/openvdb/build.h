// Rows that fill a tree: build_*, clear, and the trees every other row starts from.
#pragma once
#include <openvdb/tools/PointPartitioner.h>

#include "harness.h"

// One build from many threads: thread-local trees over index ranges, joined with Tree::merge (the pattern in OpenVDB's
// own tools).
struct LocalTrees {
    const std::vector<Voxel> *s;
    Tree::Ptr t;
    explicit LocalTrees(const std::vector<Voxel> &v) : s(&v), t(new Tree(0.f)) {}
    LocalTrees(LocalTrees &o, tbb::split) : s(o.s), t(new Tree(0.f)) {}
    void operator()(const Range &r) {
        tree::ValueAccessor<Tree> a(*t);
        for (size_t i = r.begin(); i < r.end(); ++i) {
            auto &v = (*s)[i];
            a.setValueOn(Coord(v.x, v.y, v.z), v.v);
        }
    }
    void join(LocalTrees &o) { t->merge(*o.t, MERGE_ACTIVE_STATES); }
};

// PointPartitioner (the engine of PointIndexGrid and PointDataGrid): a parallel sort into 8^3 buckets, one leaf each.
using Partition = tools::PointPartitioner<uint32_t, 3>;
struct VoxelArray {
    using PosType = Vec3d;
    const std::vector<Voxel> *s;
    size_t size() const { return s->size(); }
    void getPos(size_t n, Vec3d &p) const {
        auto &v = (*s)[n];
        p = Vec3d(v.x, v.y, v.z);
    }
};

static void build_sorted(Tree &out, const std::vector<Voxel> &s) {
    VoxelArray points{&s};
    Partition part;
    static const math::Transform::Ptr unit = math::Transform::createLinearTransform(1.0);
    part.construct(points, *unit, false, false, true);
    std::vector<Leaf *> leaves(part.size());
    tbb::parallel_for(Range(0, part.size(), 64), [&](const Range &r) {
        for (size_t n = r.begin(); n < r.end(); ++n) {
            Leaf *l = nullptr;
            for (auto it = part.indices(n); it; ++it) {
                auto &v = s[*it];
                Coord c(v.x, v.y, v.z);
                if (!l)
                    l = new Leaf(c, 0.f);
                l->setValueOn(c, v.v);
            }
            leaves[n] = l;
        }
    });
    tree::ValueAccessor<Tree> a(out);
    for (auto *l : leaves)
        if (l)
            a.addLeaf(l);
}

static void build_rows(const Harness &h, const std::vector<Voxel> &scan, const std::vector<Voxel> &random) {
    Tree::Ptr t;
    auto fresh = [&] {
        t.reset();
        t.reset(new Tree(0.f));
    };
    auto check = [&] { return sum_and_count(*t); };
    if (h.threads == 1) {
        h.row("build_scan", fresh, [&] { build(*t, scan); }, check);
        h.row("build_random", fresh, [&] { build(*t, random); }, check);
        h.row(
            "build_random.no_accessor", fresh,
            [&] {
                for (auto &v : random)
                    t->setValueOn(Coord(v.x, v.y, v.z), v.v);
            },
            check);
    }
    auto merged = [&] {
        LocalTrees b(random);
        size_t n = random.size(), grain = (n + h.threads - 1) / h.threads;
        tbb::parallel_reduce(Range(0, n, grain), b, tbb::simple_partitioner());
        t = b.t;
    };
    h.row("build_parallel", fresh, merged, check);
    h.row("build_parallel.sorted", fresh, [&] { build_sorted(*t, random); }, check);
    h.row("build_bulk", fresh, [&] { build_sorted(*t, random); }, check);
    auto filled = [&] {
        fresh();
        build(*t, scan);
    };
    h.row("clear", filled, [&] { t->clear(); }, [&] { return print(uint64_t(t->activeVoxelCount())); });
}
