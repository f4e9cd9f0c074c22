// Limits of this machine for the common workloads: memory bandwidth and latency, a dense box without any sparsity, and
// a flat array of sparse 8^3 leaves with a ready neighbour table (no tree look-up at all). benches/peers/README.md says
// what is printed.
//
// Build: g++ -O3 -march=native -std=c++17 -DNDEBUG -fopenmp bounds.cc -o bounds      (x86-64 with AVX2; uses AVX-512VL)
// Run:   ./bounds [threads=1] [only=substring,...] [runs=7]
#include "dense.h"
#include "leaves.h"
#include "stream.h"

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
    omp_set_num_threads(h.threads);
    std::printf("# version g++ %s\n", __VERSION__);
    stream_rows(h);
    dense_rows(h);
    leaf_rows(h);
    return 0;
}
