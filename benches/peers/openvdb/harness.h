// The clock, the command line and the common inputs of workloads.md, shared by the OpenVDB rows.
#pragma once
#include <openvdb/openvdb.h>
#include <openvdb/tree/LeafManager.h>
#include <tbb/tbb.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace openvdb;
using Tree = FloatTree;
using Leaf = Tree::LeafNodeType;
using LM = tree::LeafManager<Tree>;
using CLM = tree::LeafManager<const Tree>;
using Range = tbb::blocked_range<size_t>;

// Generator G.
struct Rng {
    uint64_t s = 0x9E3779B97F4A7C15ull;
    uint64_t next() {
        s ^= s >> 12;
        s ^= s << 25;
        s ^= s >> 27;
        return s * 0x2545F4914F6CDD1Dull;
    }
};

static inline float value_of(int x, int y, int z) {
    uint32_t h = (uint32_t(x) * 73856093u) ^ (uint32_t(y) * 19349663u) ^ (uint32_t(z) * 83492791u);
    return float(h & 0xFFFFu) / 65536.0f;
}

struct Voxel {
    int x, y, z;
    float v;
};

static std::vector<Voxel> set_in_scan_order() {
    std::vector<Voxel> s;
    s.reserve(3100000);
    for (int x = -203; x <= 203; ++x)
        for (int y = -203; y <= 203; ++y)
            for (int z = -203; z <= 203; ++z) {
                double d = std::sqrt(double(x) * x + double(y) * y + double(z) * z) - 200.0;
                if (std::fabs(d) < 3.0)
                    s.push_back({x + 512, y + 512, z + 512, value_of(x + 512, y + 512, z + 512)});
            }
    return s;
}

static std::vector<Voxel> shuffled(std::vector<Voxel> s) {
    Rng r;
    for (size_t i = s.size() - 1; i > 0; --i)
        std::swap(s[i], s[r.next() % (i + 1)]);
    return s;
}

static inline std::string print(double v) {
    char text[64];
    std::snprintf(text, sizeof text, "%.4f", v);
    return text;
}
static inline std::string print(uint64_t v) {
    return std::to_string(v);
}

// Runs rows and prints `NAME threads seconds checksum`, the minimum of at least `runs` runs.
struct Harness {
    int threads = 1;
    int runs = 7;
    std::vector<std::string> only;

    bool wants(const std::string &name) const {
        return only.empty() ||
               std::any_of(only.begin(), only.end(), [&](auto &o) { return name.find(o) != std::string::npos; });
    }

    // setup() is untimed, body() is timed, checksum() is called once at the end.
    void row(const char *name, std::function<void()> setup, std::function<void()> body,
             std::function<std::string()> checksum) const {
        if (!wants(name))
            return;
        double best = 1e99, total = 0;
        // Short rows are repeated more: the machine is shared.
        for (int r = 0; r < runs || (total < 0.3 && r < 40); ++r) {
            if (setup)
                setup();
            auto start = std::chrono::steady_clock::now();
            body();
            double t = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            total += t;
            best = std::min(best, t);
        }
        std::printf("%s %d %.7f %s\n", name, threads, best, checksum().c_str());
        std::fflush(stdout);
    }
};

// Sum and number of the active values.
static inline double active_sum(const Tree &t) {
    double s = 0;
    for (auto l = t.cbeginLeaf(); l; ++l)
        for (auto it = l->cbeginValueOn(); it; ++it)
            s += *it;
    return s;
}
static inline std::string sum_and_count(const Tree &t) {
    return print(active_sum(t)) + "/" + print(uint64_t(t.activeVoxelCount()));
}

static inline void build(Tree &t, const std::vector<Voxel> &s) {
    tree::ValueAccessor<Tree> a(t);
    for (auto &v : s)
        a.setValueOn(Coord(v.x, v.y, v.z), v.v);
}
