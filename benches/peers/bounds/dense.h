// The box round the set, 416^3 from 304, as one dense array: no sparsity, 24 times the cells.
#pragma once
#include "harness.h"

static void dense_rows(const Harness &h) {
    if (!h.wants_any({"dense_sum", "dense_laplacian", "dense_box27"}))
        return;
    const int D = 416;
    const size_t SX = size_t(D) * D, SY = D, N = SX * D;
    Array<float> a(N), b(N);
    std::vector<bool> active(N);
    for (int x = 0; x < D; ++x)
        for (int y = 0; y < D; ++y)
            for (int z = 0; z < D; ++z)
                if (in_set(x + 304, y + 304, z + 304)) {
                    a[x * SX + y * SY + z] = value_of(x + 304, y + 304, z + 304);
                    active[x * SX + y * SY + z] = true;
                }
    auto active_sum = [&] {
        double s = 0;
        for (size_t i = 0; i < N; ++i)
            if (active[i])
                s += b[i];
        return s;
    };
    double result = 0;
    h.row(
        "dense_sum",
        [&] {
            double s = 0;
#pragma omp parallel for reduction(+ : s)
            for (size_t r = 0; r < SX; ++r) {
                float q[16] = {0};
                for (int z = 0; z < D; z += 16)
                    for (int j = 0; j < 16; ++j)
                        q[j] += a[r * D + z + j];
                for (float x : q)
                    s += x;
            }
            result = s;
        },
        [&] { return result; });
    // The set keeps off the outermost cells of the box, so the loops do too.
    h.row(
        "dense_laplacian",
        [&] {
#pragma omp parallel for
            for (int x = 1; x < D - 1; ++x)
                for (int y = 1; y < D - 1; ++y) {
                    const float *c = &a[x * SX + y * SY];
                    float *o = &b[x * SX + y * SY];
                    for (int z = 1; z < D - 1; ++z)
                        o[z] = c[z - SX] + c[z + SX] + c[z - SY] + c[z + SY] + c[z - 1] + c[z + 1] - 6.f * c[z];
                }
        },
        active_sum);
    h.row(
        "dense_box27",
        [&] {
#pragma omp parallel
            {
                std::vector<float> column(D);
                const ptrdiff_t X = SX, Y = SY;
#pragma omp for
                for (int x = 1; x < D - 1; ++x)
                    for (int y = 1; y < D - 1; ++y) {
                        const float *c = &a[x * SX + y * SY];
                        float *o = &b[x * SX + y * SY], *s = column.data();
                        for (int z = 0; z < D; ++z) {
                            const float *d = c + z;
                            s[z] = d[-X - Y] + d[-X] + d[-X + Y] + d[-Y] + d[0] + d[Y] + d[X - Y] + d[X] + d[X + Y];
                        }
                        for (int z = 1; z < D - 1; ++z)
                            o[z] = (s[z - 1] + s[z] + s[z + 1]) * (1.f / 27.f);
                    }
            }
        },
        active_sum);
}
