// Bandwidth (256 MiB arrays, past the last-level cache) and the latency of independent random reads.
#pragma once
#include "harness.h"

static void stream_rows(const Harness &h) {
    if (!h.wants_any({"stream_read", "stream_copy", "stream_copy_nt", "stream_triad", "stream_random"}))
        return;
    const size_t N = 1 << 26;
    Array<float> a(N), b(N), c(N);
    for (size_t i = 0; i < N; ++i) {
        a[i] = float(i & 1023);
        b[i] = 1.f;
    }
    double result = 0;
    h.row(
        "stream_read",
        [&] {
            double s = 0;
#pragma omp parallel for reduction(+ : s)
            for (size_t block = 0; block < N; block += 4096) {
                float q[16] = {0};
                for (size_t i = 0; i < 4096; i += 16)
                    for (int j = 0; j < 16; ++j)
                        q[j] += a[block + i + j];
                for (float x : q)
                    s += x;
            }
            result = s;
        },
        [&] { return result; });
    h.row(
        "stream_copy",
        [&] {
#pragma omp parallel for
            for (size_t i = 0; i < N; ++i)
                c[i] = a[i];
        },
        [&] { return c[N / 2]; });
    h.row(
        "stream_copy_nt",
        [&] {
#pragma omp parallel for
            for (size_t i = 0; i < N; i += 8)
                _mm256_stream_ps(&c[i], _mm256_load_ps(&a[i]));
            _mm_sfence();
        },
        [&] { return c[N / 2]; });
    h.row(
        "stream_triad",
        [&] {
#pragma omp parallel for
            for (size_t i = 0; i < N; ++i)
                c[i] = a[i] + 3.f * b[i];
        },
        [&] { return c[N / 2]; });
    // The bound of get_random when nothing is in cache: 10 million independent 4-byte reads over 256 MiB.
    if (h.threads == 1)
        h.row(
            "stream_random",
            [&] {
                uint64_t s = 0x9E3779B97F4A7C15ull;
                double q = 0;
                for (int i = 0; i < 10000000; ++i) {
                    s ^= s >> 12;
                    s ^= s << 25;
                    s ^= s >> 27;
                    q += a[(s * 0x2545F4914F6CDD1Dull) >> 38];
                }
                result = q;
            },
            [&] { return result; });
}
