#!/usr/bin/env python3
"""numpy on the bit, histogram, scan and sort rows of the common workloads; benches/peers/README.md says what is printed.

Get: python3 -m venv VENV && VENV/bin/pip install "numpy>=2"
Run: VENV/bin/python bench.py [threads=1] [only=substring,...] [runs=7]        (numpy has one thread: others print nothing)

Env BENCH_CACHE names a folder for the 128 MiB input stream, which takes Python some ten seconds to make (default: the
temporary folder). numpy's AVX-512 sort is slower than its AVX2 one on some processors: sort.avx2 is the latter.
"""
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

ARGS = dict(a.split("=", 1) for a in sys.argv[1:] if "=" in a)
ONLY = [s for s in ARGS.get("only", "").split(",") if s]
RUNS = int(ARGS.get("runs", 7))
N = 1 << 24
WORDS = 1 << 20  # 2^26 bits
MASK = (1 << 64) - 1
NO_AVX512 = {"NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SKX"}


def stream(n):
    """The first n outputs of xorshift64*."""
    path = os.path.join(os.environ.get("BENCH_CACHE", tempfile.gettempdir()), f"xorshift64star_{n}.npy")
    if os.path.exists(path):
        return np.load(path)
    out = np.empty(n, dtype=np.uint64)
    x = 0x9E3779B97F4A7C15
    for i in range(n):
        x ^= x >> 12
        x ^= (x << 25) & MASK
        x ^= x >> 27
        out[i] = (x * 0x2545F4914F6CDD1D) & MASK
    np.save(path, out)
    return out


def want(name):
    return not ONLY or any(o in name for o in ONLY)


def bench(name, body, checksum):
    if not want(name):
        return
    best = 1e9
    for _ in range(RUNS):
        t = time.perf_counter()
        result = body()
        best = min(best, time.perf_counter() - t)
    print(f"{name} 1 {best:.7f} {checksum(result)}", flush=True)


def total(v):
    return int(v.sum(dtype=np.uint64))


def popcount(v):
    return total(np.bitwise_count(v))


def bits(s):
    a, b = s[:WORDS].copy(), s[WORDS:2 * WORDS].copy()
    c = np.empty_like(a)
    bench("bits_popcount", lambda: popcount(a), int)
    bench("bits_and", lambda: np.bitwise_and(a, b, out=c), popcount)
    listed = lambda r: f"{len(r)}/{total(r)}"
    bench("bits_indices", lambda: np.flatnonzero(np.unpackbits(a.view(np.uint8), bitorder="little")), listed)


def histograms(keys):
    for name, k in (("histogram_256", 256), ("histogram_64k", 65536), ("histogram_1m", 1 << 20)):
        masked = keys & np.uint32(k - 1)
        weight = np.arange(1, k + 1, dtype=np.uint64)
        check = lambda h: f"{total(h)}/{total(h.astype(np.uint64) * weight)}"
        bench(name, lambda: np.bincount(masked, minlength=k), check)


def scan(keys):
    out = np.empty_like(keys)
    out[0] = 0
    np.cumsum(keys[:-1], dtype=np.uint32, out=out[1:])
    return out


def weighted(v):
    with np.errstate(over="ignore"):
        return total(v.astype(np.uint64) * np.arange(1, N + 1, dtype=np.uint64))


def main():
    if "sort.avx2" in ARGS.get("part", ""):  # in a process of its own: numpy reads the variable once
        keys = (stream(N) >> np.uint64(32)).astype(np.uint32)
        bench("sort.avx2", lambda: np.sort(keys), weighted)
        return
    print(f"# version numpy {np.__version__}", flush=True)
    if int(ARGS.get("threads", 1)) != 1:
        return
    s = stream(N)
    keys = (s >> np.uint64(32)).astype(np.uint32)
    bits(s)
    histograms(keys)
    bench("scan", lambda: scan(keys), lambda o: (int(o[-1]) + total(o)) & MASK)
    bench("sort", lambda: np.sort(keys), weighted)
    if want("sort.avx2"):
        env = {**os.environ, **NO_AVX512}
        subprocess.run([sys.executable, "-W", "ignore", __file__, f"runs={RUNS}", "part=sort.avx2"], env=env, check=True)


main()
