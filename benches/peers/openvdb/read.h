// Point reads of the tree and of its frozen NanoVDB form.
#pragma once
#include <nanovdb/util/OpenToNanoVDB.h>

#include "stencil.h"

// get_random: one draw per read, 21 bits an axis.
template <typename C>
static inline C draw(Rng &r) {
    uint64_t u = r.next();
    auto axis = [](uint64_t bits) { return 304 + int(((bits & 0x1FFFFF) * 416) >> 21); };
    return C(axis(u), axis(u >> 21), axis(u >> 42));
}

template <typename C, typename Get>
static double read_random(Get get) {
    Rng r;
    double s = 0;
    for (int i = 0; i < 10000000; ++i)
        s += get(draw<C>(r));
    return s;
}

// get_walk: 200 x 100 rays along +x, x = 12 .. 1011.
template <typename C, typename Get>
static double read_walk(Get get) {
    double s = 0;
    for (int j = 0; j < 200; ++j)
        for (int k = 0; k < 100; ++k) {
            C c(12, 304 + j * 416 / 200, 304 + k * 416 / 100);
            float q = 0; // exact: multiples of 2^-16 below 2^8
            for (int i = 0; i < 1000; ++i) {
                q += get(c);
                ++c[0];
            }
            s += q;
        }
    return s;
}

static void read_rows(const Harness &h, const Tree &tree) {
    if (h.threads != 1)
        return;
    double result = 0;
    auto check = [&] { return print(result); };
    tree::ValueAccessor<const Tree, false> all(tree);
    tree::ValueAccessor<const Tree, false, 1> lowest(tree);
    auto get = [&](auto &a) { return [&](const Coord &c) { return a.getValue(c); }; };
    h.row("get_random", nullptr, [&] { result = read_random<Coord>(get(all)); }, check);
    h.row("get_random.one_level", nullptr, [&] { result = read_random<Coord>(get(lowest)); }, check);
    h.row("get_random.no_accessor", nullptr, [&] { result = read_random<Coord>(get(tree)); }, check);
    h.row("get_walk", nullptr, [&] { result = read_walk<Coord>(get(all)); }, check);
}

static void frozen_rows(const Harness &h, const FloatGrid &grid) {
    if (!h.wants("freeze"))
        return;
    using nanovdb::ChecksumMode;
    using nanovdb::StatsMode;
    using C = nanovdb::Coord;
    nanovdb::GridHandle<nanovdb::HostBuffer> frozen;
    auto freeze = [&] { frozen = nanovdb::openToNanoVDB(grid, StatsMode::Disable, ChecksumMode::Disable); };
    auto frozen_sum = [&] {
        auto &tree = frozen.grid<float>()->tree();
        const auto *leaf = tree.getFirstNode<0>();
        return tbb::parallel_reduce(
            Range(0, tree.nodeCount(0), 64), 0.0,
            [&](const Range &r, double s) {
                for (size_t n = r.begin(); n < r.end(); ++n)
                    s += masked_sum(leaf[n].data()->mValues, reinterpret_cast<const uint8_t *>(&leaf[n].valueMask()));
                return s;
            },
            std::plus<double>());
    };
    h.row("freeze", [&] { frozen.reset(); }, freeze, [&] { return print(frozen_sum()); });
    freeze();
    auto *grid_read = frozen.grid<float>();
    double result = 0;
    auto check = [&] { return print(result); };
    h.row("freeze_sum", nullptr, [&] { result = frozen_sum(); }, check);
    if (h.threads != 1)
        return;
    auto accessor = grid_read->getAccessor();
    auto cached = [&](const C &c) { return accessor.getValue(c); };
    auto plain = [&](const C &c) { return grid_read->tree().getValue(c); };
    h.row("freeze_get_random", nullptr, [&] { result = read_random<C>(cached); }, check);
    h.row("freeze_get_random.no_accessor", nullptr, [&] { result = read_random<C>(plain); }, check);
    h.row("freeze_get_walk", nullptr, [&] { result = read_walk<C>(cached); }, check);
}
