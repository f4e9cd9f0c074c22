#!/usr/bin/env python3
"""Taichi (CPU backend) on the common workloads; benches/peers/README.md says what is printed.

Get: python3 -m venv VENV && VENV/bin/pip install taichi numpy        (a Python that Taichi has wheels for)
Run: VENV/bin/python bench.py [threads=1] [only=substring,...] [runs=5] [seconds=0.5]

Each row is the minimum over at least `runs` runs and `seconds` seconds, the first call (with the JIT) left out.
Env LAYOUT picks the tree: vdb (8^3 pointers > 16^3 pointers > 8^3 bitmasked leaves), flat (128^3 pointers > 8^3
bitmasked leaves), vdb4 / flat4 (the same with 4^3 leaves).
"""
import os
import sys
import time

import numpy as np
import taichi as ti

ARGS = dict(a.split("=", 1) for a in sys.argv[1:] if "=" in a)
T = int(ARGS.get("threads", 1))
ONLY = [s for s in ARGS.get("only", "").split(",") if s]
RUNS = int(ARGS.get("runs", 5))
SECONDS = float(ARGS.get("seconds", 0.5))
LAYOUT = os.environ.get("LAYOUT", "vdb")
ti.init(arch=ti.cpu, cpu_max_num_threads=T, offline_cache=False, log_level=ti.ERROR, verbose=False)
print(f"# version Taichi {'.'.join(map(str, ti.__version__))}", flush=True)
ijk = ti.ijk
BD = 512  # block_dim of the struct-fors: one task per 8^3 leaf; the CPU default (32) makes sixteen and is ~15 % slower


def want(*names):
    return not ONLY or any(o in n for n in names for o in ONLY)


def bench(name, body, setup=None, check=None, runs=RUNS, seconds=SECONDS):
    """body() is timed, setup() is not; the checksum is check() or what body returns."""
    if not want(name):
        return
    best, r, stop = 1e9, 0, time.perf_counter() + seconds
    while r <= runs or time.perf_counter() < stop:  # run 0 is the JIT warm-up
        if setup:
            setup()
        ti.sync()
        t = time.perf_counter()
        result = body()
        ti.sync()
        if r:
            best = min(best, time.perf_counter() - t)
        r += 1
    print(f"{name} {T} {best:.7f} {check() if check else result}", flush=True)


# ---------------------------------------------------------------- the generator and the set S
@ti.func
def nxt(s):  # one xorshift64* step: (state, output)
    s ^= s >> ti.u64(12)
    s ^= s << ti.u64(25)
    s ^= s >> ti.u64(27)
    return s, s * ti.u64(0x2545F4914F6CDD1D)


def make_set(r=200, w=3.0, c=512):
    g = np.arange(-r - 4, r + 5, dtype=np.int64)
    yz = g[:, None] ** 2 + g[None, :] ** 2
    out = []
    for x in g:  # x-major scan order
        j, k = np.nonzero(np.abs(np.sqrt(x * x + yz) - r) < w)
        out.append(np.stack([np.full(len(j), x), g[j], g[k]], 1))
    return (np.concatenate(out) + c).astype(np.int32)


S = make_set()
N = len(S)
scan_f = ti.Vector.field(3, ti.i32, shape=N)
rand_f = ti.Vector.field(3, ti.i32, shape=N)
scan_f.from_numpy(S)
rand_f.from_numpy(S)


@ti.kernel
def shuffle():  # Fisher-Yates, serial
    s = ti.u64(0x9E3779B97F4A7C15)
    ti.loop_config(serialize=True)
    for q in range(N - 1):
        i = N - 1 - q
        s, o = nxt(s)
        j = ti.cast(o % ti.cast(i + 1, ti.u64), ti.i32)
        t = rand_f[i]
        rand_f[i] = rand_f[j]
        rand_f[j] = t


shuffle()


@ti.func
def val(p):
    h = (ti.cast(p[0], ti.u32) * ti.u32(73856093)) ^ (ti.cast(p[1], ti.u32) * ti.u32(19349663)) ^ (
        ti.cast(p[2], ti.u32) * ti.u32(83492791))
    return ti.cast(h & ti.u32(0xFFFF), ti.f32) / 65536.0


# ---------------------------------------------------------------- trees
def tree(kind, *groups):
    """One SNode tree over 1024^3; each group of fields gets its own leaf node (one group = AoS, several = SoA)."""
    fb = ti.FieldsBuilder()
    b = 4 if LAYOUT.endswith("4") else 8
    if LAYOUT.startswith("vdb"):
        top = fb.pointer(ijk, 8)
        block = top.pointer(ijk, 128 // b)
    else:
        top = block = fb.pointer(ijk, 1024 // b)
    for g in groups:
        leaf = block.bitmasked(ijk, b) if kind == "bitmasked" else block.dense(ijk, b)
        leaf.place(*g)
    fb.finalize()
    return top


@ti.kernel
def put_serial(x: ti.template(), src: ti.template(), n: ti.i32):
    ti.loop_config(serialize=True)
    for i in range(n):
        p = src[i]
        x[p] = val(p)


@ti.kernel
def put_parallel(x: ti.template(), src: ti.template(), n: ti.i32):
    for i in range(n):
        p = src[i]
        x[p] = val(p)


@ti.kernel
def total(x: ti.template()) -> ti.f64:  # the struct-for reduction; the accumulator is thread-local (TLS pass)
    s = ti.cast(0.0, ti.f64)
    ti.loop_config(block_dim=BD)
    for I in ti.grouped(x):
        s += ti.cast(x[I], ti.f64)
    return s


@ti.kernel
def total_on_set(x: ti.template()) -> ti.f64:
    s = ti.cast(0.0, ti.f64)
    for q in range(N):
        s += ti.cast(x[scan_f[q]], ti.f64)
    return s


@ti.kernel
def count(x: ti.template()) -> ti.i32:
    s = 0
    ti.loop_config(block_dim=BD)
    for I in ti.grouped(x):
        s += 1
    return s


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


one = ti.field(ti.f32)
top1 = tree("bitmasked", [one])
put_serial(one, scan_f, 0)  # JIT only
total(one), count(one)
before = resident()
put_serial(one, scan_f, N)
if want("bytes") and T == 1:
    print(f"bytes 1 0 {(resident() - before) / N:.4f}")


def clear1():
    top1.deactivate_all()


def built():
    return f"{total(one):.4f}/{count(one)}"


if T == 1:
    bench("build_scan", lambda: put_serial(one, scan_f, N), clear1, built)
    bench("build_random", lambda: put_serial(one, rand_f, N), clear1, built)
bench("build_parallel", lambda: put_parallel(one, rand_f, N), clear1, built)
bench("clear", clear1, lambda: put_parallel(one, scan_f, N), lambda: count(one))
clear1()
put_parallel(one, scan_f, N)
bench("sum", lambda: total(one), None, lambda: f"{total(one):.4f}")
bench("count", lambda: count(one))  # lists the leaves and scans their masks, reads no values


# ---------------------------------------------------------------- stencils
# No ti.block_local here: the pass runs only where Extension::bls is (CUDA); on the CPU the hint is silently ignored.
@ti.kernel
def laplacian(a: ti.template(), b: ti.template()):
    ti.loop_config(block_dim=BD)
    for i, j, k in a:
        b[i, j, k] = (a[i + 1, j, k] + a[i - 1, j, k] + a[i, j + 1, k] + a[i, j - 1, k] + a[i, j, k + 1] +
                      a[i, j, k - 1] - 6.0 * a[i, j, k])


@ti.kernel
def box27(a: ti.template(), b: ti.template()):
    ti.loop_config(block_dim=BD)
    for i, j, k in a:
        s = 0.0
        for d in ti.static(ti.ndrange(3, 3, 3)):
            s += a[i + d[0] - 1, j + d[1] - 1, k + d[2] - 1]
        b[i, j, k] = s / 27.0


if want("laplacian", "box27"):
    a, b = ti.field(ti.f32), ti.field(ti.f32)
    tree("bitmasked", [a, b])
    put_parallel(a, scan_f, N)
    bench("laplacian", lambda: laplacian(a, b), None, lambda: f"{total(b):.4f}")
    bench("box27", lambda: box27(a, b), None, lambda: f"{total(b):.4f}")

if want("laplacian.dense_leaves"):  # the usual Taichi habit: all 512 voxels of a touched leaf are computed
    c, d = ti.field(ti.f32), ti.field(ti.f32)
    tree("dense", [c], [d])
    put_parallel(c, scan_f, N)
    bench("laplacian.dense_leaves", lambda: laplacian(c, d), None, lambda: f"{total_on_set(d):.4f}")


# ---------------------------------------------------------------- point reads (serial)
@ti.kernel
def get_random(x: ti.template()) -> ti.f64:
    s = ti.u64(0x9E3779B97F4A7C15)
    acc = ti.cast(0.0, ti.f64)
    ti.loop_config(serialize=True)
    for q in range(10_000_000):
        s, o = nxt(s)  # one draw per read, 21 bits an axis
        i = ti.cast(((o & ti.u64(0x1FFFFF)) * ti.u64(416)) >> ti.u64(21), ti.i32) + 304
        j = ti.cast((((o >> ti.u64(21)) & ti.u64(0x1FFFFF)) * ti.u64(416)) >> ti.u64(21), ti.i32) + 304
        k = ti.cast((((o >> ti.u64(42)) & ti.u64(0x1FFFFF)) * ti.u64(416)) >> ti.u64(21), ti.i32) + 304
        acc += ti.cast(x[i, j, k], ti.f64)
    return acc


@ti.kernel
def get_walk(x: ti.template()) -> ti.f64:  # 200 x 100 rays, x = 12..1011
    acc = ti.cast(0.0, ti.f64)
    ti.loop_config(serialize=True)
    for r in range(20000):
        y = 304 + (r // 100) * 416 // 200
        z = 304 + (r % 100) * 416 // 100
        for q in range(1000):
            acc += ti.cast(x[12 + q, y, z], ti.f64)
    return acc


if T == 1:
    bench("get_random", lambda: get_random(one))
    bench("get_walk", lambda: get_walk(one))

# ---------------------------------------------------------------- p2g
if want("p2g"):
    NP = 1_000_000
    pos = ti.Vector.field(3, ti.f32, shape=NP)
    m = ti.field(ti.f32)
    topm = tree("dense", [m])

    @ti.func
    def unit(o):  # the top 24 bits as a fraction
        return ti.cast(ti.cast(o >> ti.u64(40), ti.u32), ti.f32) / 16777216.0

    @ti.kernel
    def draw_particles():
        s = ti.u64(0x9E3779B97F4A7C15)
        ti.loop_config(serialize=True)
        for q in range(NP):
            s, o = nxt(s)
            s, jx = nxt(s)
            s, jy = nxt(s)
            s, jz = nxt(s)
            p = scan_f[ti.cast(o % ti.u64(N), ti.i32)]
            pos[q] = ti.cast(p, ti.f32) + ti.Vector([unit(jx), unit(jy), unit(jz)])

    @ti.kernel
    def p2g():
        for q in pos:
            base = ti.cast(pos[q] - 0.5, ti.i32)
            fx = pos[q] - ti.cast(base, ti.f32)
            w = [0.5 * (1.5 - fx)**2, 0.75 - (fx - 1.0)**2, 0.5 * (fx - 0.5)**2]
            for i, j, k in ti.static(ti.ndrange(3, 3, 3)):
                m[base + ti.Vector([i, j, k])] += w[i][0] * w[j][1] * w[k][2]

    def p2g_clear():
        p2g()
        topm.deactivate_all()

    def mass():
        p2g()
        return f"{total(m):.4f}"

    draw_particles()
    bench("p2g", p2g_clear, None, mass)

# ---------------------------------------------------------------- topology
if want("dilate", "union"):
    u = ti.field(ti.f32)
    topu = tree("bitmasked", [u])

    @ti.kernel
    def dilate():  # into a second tree: a struct-for that grows its own tree visits some of the new cells
        ti.loop_config(block_dim=BD)
        for i, j, k in one:
            u[i, j, k] = 0.0
            u[i + 1, j, k] = 0.0
            u[i - 1, j, k] = 0.0
            u[i, j + 1, k] = 0.0
            u[i, j - 1, k] = 0.0
            u[i, j, k + 1] = 0.0
            u[i, j, k - 1] = 0.0

    bench("dilate", dilate, lambda: topu.deactivate_all(), lambda: count(u))
    shifted = ti.field(ti.f32)
    tree("bitmasked", [shifted])

    @ti.kernel
    def put_shifted():
        for i in range(N):
            shifted[scan_f[i] + ti.Vector([3, 5, 7])] = 1.0

    @ti.kernel
    def union():
        ti.loop_config(block_dim=BD)
        for I in ti.grouped(shifted):
            u[I] = 0.0

    def set_again():
        topu.deactivate_all()
        put_parallel(u, scan_f, N)

    put_shifted()
    bench("union", union, set_again, lambda: count(u))

# ---------------------------------------------------------------- bits: 2^26 bits as u32 words
if want("bits_popcount", "bits_and", "bits_indices"):
    W = 1 << 21
    ba, bb, bc = (ti.field(ti.u32, shape=W) for _ in range(3))
    idx = ti.field(ti.u32, shape=1 << 26)
    G = 256
    cnt, off = ti.field(ti.i32, shape=G), ti.field(ti.i32, shape=G)

    @ti.kernel
    def fill_bits():  # A is the first 2^20 outputs, B the next
        s = ti.u64(0x9E3779B97F4A7C15)
        ti.loop_config(serialize=True)
        for q in range(W):
            s, o = nxt(s)
            lo, hi = ti.cast(o & ti.u64(0xFFFFFFFF), ti.u32), ti.cast(o >> ti.u64(32), ti.u32)
            if q < W // 2:
                ba[2 * q], ba[2 * q + 1] = lo, hi
            else:
                bb[2 * q - W], bb[2 * q - W + 1] = lo, hi

    @ti.kernel
    def popcount(x: ti.template()) -> ti.i32:
        s = 0
        for q in x:
            s += ti.cast(ti.math.popcnt(x[q]), ti.i32)
        return s

    @ti.kernel
    def band():
        for q in ba:
            bc[q] = ba[q] & bb[q]

    @ti.kernel
    def indices() -> ti.i32:  # count per chunk, serial scan of the 256 counts, then write
        for g in range(G):
            s = 0
            for q in range(g * (W // G), (g + 1) * (W // G)):
                s += ti.cast(ti.math.popcnt(ba[q]), ti.i32)
            cnt[g] = s
        tot = 0
        ti.loop_config(serialize=True)
        for g in range(G):
            off[g] = tot
            tot += cnt[g]
        for g in range(G):
            o = off[g]
            for q in range(g * (W // G), (g + 1) * (W // G)):
                v = ba[q]
                while v != 0:
                    idx[o] = ti.cast(q * 32, ti.u32) + ti.cast(ti.math.popcnt((v & (~v + 1)) - 1), ti.u32)
                    v = v & (v - 1)
                    o += 1
        return tot

    def listed():
        n = indices()
        return f"{n}/{idx.to_numpy()[:n].sum(dtype=np.uint64)}"

    fill_bits()
    bench("bits_popcount", lambda: popcount(ba))
    bench("bits_and", band, None, lambda: popcount(bc))
    bench("bits_indices", indices, None, listed)

# ---------------------------------------------------------------- histogram, scan, sort: 2^24 u32
if want("histogram_256.atomic", "histogram_64k.atomic", "histogram_1m.atomic", "scan", "sort"):
    K = 1 << 24
    keys, given = ti.field(ti.u32, shape=K), ti.field(ti.u32, shape=K)

    @ti.kernel
    def fill_keys():
        s = ti.u64(0x9E3779B97F4A7C15)
        ti.loop_config(serialize=True)
        for q in range(K):
            s, o = nxt(s)
            given[q] = ti.cast(o >> ti.u64(32), ti.u32)

    fill_keys()
    keys.copy_from(given)
    for nm, nb in ("256", 256), ("64k", 1 << 16), ("1m", 1 << 20):
        if not want(f"histogram_{nm}.atomic"):
            continue
        h = ti.field(ti.i32, shape=nb)
        hp = ti.field(ti.i32, shape=(T, nb))

        @ti.kernel
        def mask_keys():
            for q in keys:
                keys[q] = given[q] & ti.u32(nb - 1)

        @ti.kernel
        def hist_atomic():  # the plain Taichi way: field atomics
            for q in keys:
                h[ti.cast(keys[q], ti.i32)] += 1

        @ti.kernel
        def hist_private():  # one private histogram per thread, plain stores, then a merge
            for t in range(T):
                for q in range(t * (K // T), (t + 1) * (K // T)):
                    k = ti.cast(keys[q], ti.i32)
                    hp[t, k] = hp[t, k] + 1
            for k in range(nb):
                s = 0
                for t in range(T):
                    s += hp[t, k]
                h[k] = s

        def counted():
            n = h.to_numpy().astype(np.uint64)
            return f"{n.sum()}/{(n * np.arange(1, nb + 1, dtype=np.uint64)).sum()}"

        mask_keys()
        bench(f"histogram_{nm}", hist_atomic, lambda: h.fill(0), counted)
        bench(f"histogram_{nm}.by_hand", hist_private, lambda: (h.fill(0), hp.fill(0)), counted)
    keys.copy_from(given)

    if want("scan"):  # ti.algorithms.PrefixSumExecutor refuses the CPU, so this is a hand-written two-pass scan
        out = ti.field(ti.u32, shape=K)
        B = 1024
        part = ti.field(ti.u32, shape=B)

        @ti.kernel
        def exscan():
            for g in range(B):
                s = ti.u32(0)
                for q in range(g * (K // B), (g + 1) * (K // B)):
                    s += keys[q]
                part[g] = s
            acc = ti.u32(0)
            ti.loop_config(serialize=True)
            for g in range(B):
                v = part[g]
                part[g] = acc
                acc += v
            for g in range(B):
                s = part[g]
                for q in range(g * (K // B), (g + 1) * (K // B)):
                    out[q] = s
                    s += keys[q]

        def scanned():
            o = out.to_numpy()
            return int(o[-1]) + int(o.sum(dtype=np.uint64))

        bench("scan", exscan, None, scanned)
    if want("sort"):  # odd-even merge network, O(n log^2 n)

        def ordered():
            weighted = keys.to_numpy().astype(np.uint64) * np.arange(1, K + 1, dtype=np.uint64)
            return weighted.sum(dtype=np.uint64)

        bench("sort", lambda: ti.algorithms.parallel_sort(keys), lambda: keys.copy_from(given), ordered, 1, 0)
