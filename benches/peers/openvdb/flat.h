// Rows without a tree: bits in OpenVDB's own masks, TBB's scan and sort.
#pragma once
#include <openvdb/util/NodeMasks.h>

#include "harness.h"

// 2^26 bits as 2048 node masks of 32^3.
static void bits_rows(const Harness &h) {
    if (!h.wants("bits_popcount") && !h.wants("bits_and") && !h.wants("bits_indices"))
        return;
    using Mask = util::NodeMask<5>;
    const size_t N = 2048, BITS = 32768;
    std::vector<Mask> a(N), b(N), c(N);
    std::vector<uint32_t> list(size_t(1) << 26);
    Rng r;
    for (auto *v : {&a, &b})
        for (auto &m : *v)
            for (uint32_t w = 0; w < Mask::WORD_COUNT; ++w)
                m.getWord<Index64>(w) = r.next();
    auto count = [&](const std::vector<Mask> &v) {
        return tbb::parallel_reduce(
            Range(0, N, 16), uint64_t(0),
            [&](const Range &r, uint64_t s) {
                for (size_t i = r.begin(); i < r.end(); ++i)
                    s += v[i].countOn();
                return s;
            },
            std::plus<uint64_t>());
    };
    uint64_t result = 0;
    h.row("bits_popcount", nullptr, [&] { result = count(a); }, [&] { return print(result); });
    h.row(
        "bits_and", nullptr,
        [&] {
            tbb::parallel_for(Range(0, N, 16), [&](const Range &r) {
                for (size_t i = r.begin(); i < r.end(); ++i) {
                    c[i] = a[i];
                    c[i] &= b[i];
                }
            });
        },
        [&] { return print(count(c)); });
    h.row(
        "bits_indices", nullptr,
        [&] {
            std::vector<uint64_t> offset(N + 1, 0);
            tbb::parallel_for(Range(0, N, 16), [&](const Range &r) {
                for (size_t i = r.begin(); i < r.end(); ++i)
                    offset[i + 1] = a[i].countOn();
            });
            for (size_t i = 0; i < N; ++i)
                offset[i + 1] += offset[i];
            tbb::parallel_for(Range(0, N, 16), [&](const Range &r) {
                for (size_t i = r.begin(); i < r.end(); ++i) {
                    uint32_t *o = list.data() + offset[i];
                    for (auto it = a[i].beginOn(); it; ++it)
                        *o++ = uint32_t(i * BITS + it.pos());
                }
            });
            result = offset[N];
        },
        [&] {
            uint64_t s = 0;
            for (size_t i = 0; i < result; ++i)
                s += list[i];
            return print(result) + "/" + print(s);
        });
}

static void tbb_rows(const Harness &h) {
    if (!h.wants("scan.tbb") && !h.wants("sort.tbb"))
        return;
    std::vector<uint32_t> keys(1 << 24), out(1 << 24);
    Rng r;
    for (auto &k : keys)
        k = uint32_t(r.next() >> 32);
    h.row(
        "scan.tbb", nullptr,
        [&] {
            tbb::parallel_scan(
                Range(0, keys.size(), 65536), 0u,
                [&](const Range &r, uint32_t s, bool final_pass) {
                    for (size_t i = r.begin(); i < r.end(); ++i) {
                        if (final_pass)
                            out[i] = s;
                        s += keys[i];
                    }
                    return s;
                },
                std::plus<uint32_t>());
        },
        [&] {
            uint64_t s = out.back();
            for (uint32_t v : out)
                s += v;
            return print(s);
        });
    h.row(
        "sort.tbb", [&] { out = keys; }, [&] { tbb::parallel_sort(out.begin(), out.end()); },
        [&] {
            uint64_t s = 0;
            for (size_t i = 0; i < out.size(); ++i)
                s += uint64_t(out[i]) * (i + 1);
            return print(s);
        });
}
