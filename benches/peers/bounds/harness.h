// The clock, the command line and the common set of workloads.md, shared by the bounds.
#pragma once
#include <immintrin.h>
#include <omp.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

static inline float value_of(int x, int y, int z) {
    uint32_t h = (uint32_t(x) * 73856093u) ^ (uint32_t(y) * 19349663u) ^ (uint32_t(z) * 83492791u);
    return float(h & 0xFFFFu) / 65536.0f;
}
static inline bool in_set(int x, int y, int z) {
    double dx = x - 512, dy = y - 512, dz = z - 512;
    return std::fabs(std::sqrt(dx * dx + dy * dy + dz * dz) - 200.0) < 3.0;
}

constexpr size_t HUGE_PAGE = 2 << 20;

// A zeroed array on huge pages.
template <typename T>
struct Array {
    T *data;
    explicit Array(size_t n) {
        size_t bytes = (n * sizeof(T) + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
        data = static_cast<T *>(std::aligned_alloc(HUGE_PAGE, bytes));
        madvise(data, bytes, MADV_HUGEPAGE);
        std::memset(static_cast<void *>(data), 0, bytes);
    }
    ~Array() { std::free(data); }
    Array(const Array &) = delete;
    T &operator[](size_t i) const { return data[i]; }
};

// Runs rows and prints `NAME threads seconds checksum`, the minimum of at least `runs` runs.
struct Harness {
    int threads = 1;
    int runs = 7;
    std::vector<std::string> only;

    bool wants(const std::string &name) const {
        return only.empty() ||
               std::any_of(only.begin(), only.end(), [&](auto &o) { return name.find(o) != std::string::npos; });
    }
    bool wants_any(std::initializer_list<const char *> names) const {
        return std::any_of(names.begin(), names.end(), [&](auto n) { return wants(n); });
    }

    void row(const char *name, std::function<void()> body, std::function<double()> checksum) const {
        if (!wants(name))
            return;
        double best = 1e99, total = 0;
        // Short rows are repeated more: the machine is shared.
        for (int r = 0; r < runs || (total < 0.3 && r < 40); ++r) {
            auto start = std::chrono::steady_clock::now();
            body();
            double t = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            total += t;
            best = std::min(best, t);
        }
        std::printf("%s %d %.7f %.4f\n", name, threads, best, checksum());
        std::fflush(stdout);
    }
};
