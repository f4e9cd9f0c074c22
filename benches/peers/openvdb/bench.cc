// OpenVDB and NanoVDB (and TBB, which they lean on) on the common workloads; benches/peers/README.md says what is
// printed.
//
// Build: g++ -O3 -march=native -std=c++17 -DNDEBUG bench.cc -o bench -lopenvdb -ltbb -ltbbmalloc_proxy -lImath -pthread
//        (Debian 12: libopenvdb-dev libnanovdb-dev libtbb-dev libboost-dev libimath-dev g++)
// Run:   ./bench [threads=1] [only=substring,...] [runs=7]
#include <openvdb/tools/Count.h>
#include <openvdb/tools/Morphology.h>

#include <cstring>
#include <sstream>

#include "build.h"
#include "flat.h"
#include "read.h"
#include "scatter.h"
#include "stencil.h"

static void topology_rows(const Harness &h, const std::vector<Voxel> &scan, const Tree &tree) {
    Tree shifted(0.f);
    {
        tree::ValueAccessor<Tree> a(shifted);
        for (auto &v : scan)
            a.setValueOn(Coord(v.x + 3, v.y + 5, v.z + 7), v.v);
    }
    const MaskTree mask(tree, false, true, TopologyCopy()), mask_shifted(shifted, false, true, TopologyCopy());
    Tree::Ptr t;
    MaskTree::Ptr m;
    auto copy = [&] { t.reset(new Tree(tree)); };
    auto copy_mask = [&] { m.reset(new MaskTree(mask)); };
    auto count = [&] { return print(uint64_t(t->activeVoxelCount())); };
    auto count_mask = [&] { return print(uint64_t(m->activeVoxelCount())); };
    auto dilate = [&](auto &x) { tools::dilateActiveValues(x, 1, tools::NN_FACE, tools::IGNORE_TILES, h.threads > 1); };
    h.row("dilate", copy, [&] { dilate(*t); }, count);
    // Trees without values do less than the workload asks: rows of their own.
    h.row("mask_dilate", copy_mask, [&] { dilate(*m); }, count_mask);
    h.row("union", copy, [&] { t->topologyUnion(shifted); }, count);
    h.row("mask_union", copy_mask, [&] { m->topologyUnion(mask_shifted); }, count_mask);
    h.row("clone", [&] { t.reset(); }, copy, [&] { return sum_and_count(*t); });
    uint64_t active = 0;
    h.row("count", nullptr, [&] { active = tools::countActiveVoxels(tree); }, [&] { return print(active); });
}

int main(int argc, char **argv) {
    Harness h;
    for (int i = 1; i < argc; ++i) {
        std::string arg = argv[i], value = arg.substr(arg.find('=') + 1);
        if (arg.rfind("threads=", 0) == 0)
            h.threads = std::stoi(value);
        if (arg.rfind("runs=", 0) == 0)
            h.runs = std::stoi(value);
        std::stringstream list(value);
        if (arg.rfind("only=", 0) == 0)
            for (std::string s; std::getline(list, s, ',');)
                h.only.push_back(s);
    }
    std::printf("# version OpenVDB %s, NanoVDB %d.%d.%d, TBB %d.%d\n", OPENVDB_LIBRARY_VERSION_STRING,
                NANOVDB_MAJOR_VERSION_NUMBER, NANOVDB_MINOR_VERSION_NUMBER, NANOVDB_PATCH_VERSION_NUMBER,
                TBB_VERSION_MAJOR, TBB_VERSION_MINOR);
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, h.threads);
    openvdb::initialize();

    const std::vector<Voxel> scan = set_in_scan_order();
    Tree::Ptr tree(new Tree(0.f));
    build(*tree, scan);
    FloatGrid::Ptr grid = FloatGrid::create(tree);
    if (h.threads == 1 && h.wants("bytes"))
        std::printf("bytes 1 0 %.4f\n", double(tree->memUsage()) / double(tree->activeVoxelCount()));

    build_rows(h, scan, shuffled(scan));
    sum_rows(h, *tree);
    stencil_rows(h, *grid, *tree);
    read_rows(h, *tree);
    scatter_rows(h, make_particles(scan));
    topology_rows(h, scan, *tree);
    frozen_rows(h, *grid);
    bits_rows(h);
    tbb_rows(h);
    return 0;
}
