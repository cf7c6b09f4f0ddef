"""The primitives' launches for the algorithms that CUB is counted on, as their host code makes them on an A100."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / 'executor'))

from arguments import GROUP_BYTES, Buffer, Value, items, items_per_thread, u32, u64  # noqa: E402

LIBRARY, TESTS = 'lib-gridwright_primitives', 'test-primitives'
SUM = 'Reduce_Slice_u32_Add_OfGroups_Standard', 'Reduce_Slice_u32_Add_OfTotals_Standard'
SCAN = 'Scan_Slice_u32_Add_Inclusive_Standard'
SELECT, UNIQUE = 'Select_Slice_u32_If_IsEvenNumber_Tiles_Mine', 'Select_Slice_u32_First_Equal_Tiles_Standard'
HISTOGRAM = 'Histogram_Map_Slice_u32_EvenBins_u32_Count_Mine'
SORT = 'Sort_u32_NoValue_Count_Standard', 'Sort_u32_NoValue_Sweep_Standard'
SORT_PAIRS = 'Sort_u32_u32_Count_Standard', 'Sort_u32_u32_Sweep_Standard'

# What the kernels' files say: threads of a group, elements of a tile, and the most groups of a launch.
BLOCK, TILE, REDUCE_TILE, MOST_GROUPS = 256, 4096, 8192, 1024
# Of sorts.
SORT_BLOCK, SORT_TILE, DIGITS, TURNS, PASSES, MOST_COUNTING = 384, 8064, 256, 16, 4, 512
# Bytes of a scan's and a selection's memory.
TILE_BYTES = 4 * (BLOCK * 80 // 4 + 2 * (9 * 16 + 12))


def groups(count, size):
    return -(-count // size)


def numbers(count):
    """As algorithms.cu makes them."""
    state, found = 1, np.empty(count, np.uint32)
    for i in range(count):
        state = (state * 1664525 + 1013904223) & 0xffffffff
        found[i] = ((state >> 8) * 2654435761) & 0xffffffff
    return found


def zeros(count, kind=np.uint32):
    return Buffer(np.zeros(count, kind))


class Ours:
    """Launches by `execute`, which is given a file of PTX, the kernel, groups, threads, the bytes of shared memory and the arguments."""

    def __init__(self, execute):
        self.execute = execute
        self.none = [*items(zeros(0), 0), *items(zeros(0), 0)]

    def run(self, algorithm, count):
        """Whether the result is right."""
        x = numbers(count)
        if algorithm == 'unique':
            x >>= 31
        if algorithm == 'histogram':
            x %= 65536
        return getattr(self, algorithm)(x)

    def launch(self, kernel, group_count, block, shared, *arguments, file=LIBRARY):
        self.execute(file, kernel, group_count, block, GROUP_BYTES + shared, [*arguments])

    def reduce(self, x):
        turns = groups(groups(x.size, REDUCE_TILE), MOST_GROUPS)
        count = groups(x.size, REDUCE_TILE * turns)
        totals, result = zeros(count), zeros(1)
        self.launch(SUM[0], count, BLOCK, 0, u32(0), u32(turns), u32(x.size - (count - 1) * REDUCE_TILE * turns),
                    *items(Buffer(x), x.size), *self.none, *items(totals, count))
        self.launch(SUM[1], 1, BLOCK, 0, u32(0), u32(groups(count, REDUCE_TILE)), u32(count),
                    *items(totals, count), *self.none, *items(result, 1))
        return result.data[0] == x.sum(dtype=np.uint32)

    def scan(self, x):
        tiles, out = groups(x.size, TILE), zeros(x.size)
        self.launch(SCAN, tiles, BLOCK, TILE_BYTES, u32(0), u64(x.size),
                    *items(Buffer(x), x.size), *self.none, *items_per_thread(out, x.size), *items(zeros(tiles + 1, np.uint64), tiles + 1))
        return np.array_equal(out.data, np.cumsum(x, dtype=np.uint32))

    def chosen(self, kernel, file, x, right):
        tiles, out, count = groups(x.size, TILE), zeros(x.size), zeros(1, np.uint64)
        states = 2 * tiles + 1
        self.launch(kernel, tiles, BLOCK, TILE_BYTES, u64(x.size), *items(Buffer(x), x.size), *self.none, *items(zeros(0, np.uint64), 0),
                    *items_per_thread(out, x.size), *items(count, 1), *items(zeros(states, np.uint64), states), file=file)
        return count.data[0] == right.size and np.array_equal(out.data[:right.size], right)

    def select(self, x):
        return self.chosen(SELECT, TESTS, x, x[x % 2 == 0])

    def unique(self, x):
        return self.chosen(UNIQUE, LIBRARY, x, x[np.append(True, x[1:] != x[:-1])])

    def histogram(self, x):
        bins, lower, upper = 256, 0, 65536
        turns = groups(groups(x.size, TILE), MOST_GROUPS)
        count = groups(x.size, TILE * turns)
        scale = (bins << 64) // (upper - lower) + 1
        even = Value(b''.join(n.to_bytes(size, 'little') for n, size in [(lower, 4), (upper, 4), (scale, 8), (bins, 4)]), 1)
        counts, own = zeros(bins), 8 * bins
        self.launch(HISTOGRAM, count, BLOCK, 4 * own, even, u64(x.size), u64(turns),
                    *items(Buffer(x), x.size), *self.none, *items(counts, bins), u32(own), file=TESTS)
        return np.array_equal(counts.data, np.bincount(x // 256, minlength=256))

    def sort(self, x):
        return self.sorted(SORT, x, None)

    def sort_pairs(self, x):
        return self.sorted(SORT_PAIRS, x, np.arange(x.size, dtype=np.uint32))

    def sorted(self, kernels, x, values):
        n, tiles = x.size, groups(x.size, SORT_TILE)
        values_len = 0 if values is None else n
        pairs = [(Buffer(x.copy()), Buffer(values.copy()) if values_len else zeros(0)), (zeros(n), zeros(values_len))]
        words_len = TURNS + PASSES * (tiles + 1) * DIGITS
        words = [*items(zeros(words_len), words_len)]
        turns = groups(groups(n, TILE), MOST_COUNTING)
        self.launch(kernels[0], groups(n, TILE * turns), BLOCK, 4 * 16 * DIGITS, u32(0), u32(32), u32(0), u64(turns),
                    *items(pairs[0][0], n), *words)
        for number in range(PASSES):
            (keys, values_from), (to_keys, values_to) = pairs
            digit = Value(b''.join(n.to_bytes(4, 'little') for n in (8 * number, DIGITS - 1, 0)), 4)
            self.launch(kernels[1], tiles, SORT_BLOCK, 4 * (SORT_TILE + DIGITS), digit, u64(number),
                        u64(TURNS + (PASSES + number * tiles) * DIGITS), *items(keys, n), *items(values_from, values_len), *words,
                        *items_per_thread(to_keys, n), *items_per_thread(values_to, values_len))
            pairs.reverse()
        order = np.argsort(x, kind='stable').astype(np.uint32)
        keys, found = pairs[0]
        return np.array_equal(keys.data, x[order]) and (values is None or np.array_equal(found.data, order))
