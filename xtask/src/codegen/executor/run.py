"""Executes our kernels and nvcc's and prints what each did, as JSON; or the counts beside the instructions of one.

usage: run.py TOOLS OURS THEIRS SCRATCH [--hot CASE | CASE...]

TOOLS is the folder of ptxas and nvdisasm, OURS has files TARGET.sm_80.ptx, and THEIRS the PTX of nvcc.
"""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from math import prod
from pathlib import Path
from threading import Lock

import listing
from arguments import Launch, sizes
from cases import CASES
from cubin import Cubin
from machine import Machine

AT_ONCE = os.cpu_count() or 2
SIDES = ('ours', 'theirs')


class Runner:
    def __init__(self, tools, ours, theirs, scratch):
        self.tools, self.scratch = tools, scratch
        self.folders = {'ours': ours, 'theirs': theirs}
        self.cubins, self.locks, self.lock = {}, {}, Lock()
        self.machine = Machine(scratch)

    def cubin(self, side, file):
        """A file's machine code, which is made once."""
        with self.lock:
            lock = self.locks.setdefault((side, file), Lock())
        with lock:
            if (side, file) not in self.cubins:
                name = f'{file}.sm_80.ptx' if side == 'ours' else f'{file}.ptx'
                self.cubins[side, file] = Cubin(self.tools, self.folders[side] / name, self.scratch / f'{name}.cubin')
            return self.cubins[side, file]

    def execute(self, name, side_name):
        """What a kernel did; `fault` says what went wrong."""
        case = CASES[name]()
        side = getattr(case, side_name)
        try:
            cubin = self.cubin(side_name, side.file)
            if side.kernel not in cubin.entries:
                raise RuntimeError(f'{side.file} has no kernel {side.kernel}')
            entry = cubin.entries[side.kernel]
            counts, results = self.counted(name, side_name, case.block, side, cubin)
        except (RuntimeError, OSError, ValueError) as error:
            return {'fault': str(error).strip(), 'counts': None}
        executed, _, sectors, passes, local = map(sum, zip(*counts))
        found = {'instructions': executed, 'sectors': sectors, 'passes': passes, 'local': local,
                 'registers': entry.registers, 'shared': entry.shared + side.shared, 'threads': prod(case.block)}
        return {'fault': case.check(results), 'counts': found}

    def counted(self, name, side_name, block, side, cubin):
        """The counts of each instruction, and the results."""
        expected, given = cubin.entries[side.kernel].parameters, sizes(side.arguments)
        if expected != given:
            raise RuntimeError(f'its parameters have {expected} bytes, and the arguments in cases.py {given}')
        folder = self.scratch / f'{name}.{side_name}'
        folder.mkdir(exist_ok=True)
        launch = Launch(side.grid, block, cubin.entries[side.kernel].shared + side.shared, side.arguments,
                        cubin.constants(side.kernel))
        return self.machine.run(folder, cubin.listing, side.kernel, launch)

    def print_hot(self, name):
        """Each instruction that was executed: how often, by how many lanes, its sectors, passes and local accesses."""
        for side_name in SIDES:
            case = CASES[name]()
            side = getattr(case, side_name)
            cubin = self.cubin(side_name, side.file)
            counts, results = self.counted(name, side_name, case.block, side, cubin)
            print(f'{name}, {side_name}: {case.check(results) or "right"}')
            print('\n'.join(listing.with_counts(cubin.listing, side.kernel, counts)))


def main(tools, ours, theirs, scratch, *options):
    runner = Runner(*map(Path, (tools, ours, theirs, scratch)))
    names = [option for option in options if option != '--hot'] or list(CASES)
    for name in names:
        if name not in CASES:
            sys.exit(f'there is no case {name}: choose one of {", ".join(CASES)}')
    if '--hot' in options:
        return runner.print_hot(*names)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        runs = {(name, side): pool.submit(runner.execute, name, side) for name in names for side in SIDES}
    found = [{'case': name, **{side: runs[name, side].result() for side in SIDES}} for name in names]
    json.dump(found, sys.stdout)


if __name__ == '__main__':
    main(*sys.argv[1:])
