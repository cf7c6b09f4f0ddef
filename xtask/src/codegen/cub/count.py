"""Executes the kernels of the primitives and of CUB's algorithms, and prints what each did, as JSON.

usage: count.py TOOLS OURS SCRATCH HEADERS ELEMENTS...
       count.py --ours TOOLS OURS SCRATCH ALGORITHM ELEMENTS [HOT]

TOOLS is the folder of nvcc, ptxas and nvdisasm, OURS has the primitives' PTX, and HEADERS is CUB's folder. With --ours one algorithm of ours
is executed; the counts stand beside the instructions of the kernels whose names have HOT in them. CUB's own host code chooses the kernels and
launches them, on a runtime (`runtime.cc`) that calls this program for each launch: count.py --launch SCRATCH KERNEL FOLDER
"""

import hashlib
import json
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / 'executor'))

import listing  # noqa: E402
from arguments import Launch, sizes  # noqa: E402
from cubin import Cubin, call  # noqa: E402
from machine import COMPILE, Machine  # noqa: E402
from machine import HERE as EXECUTOR  # noqa: E402
from ours import Ours  # noqa: E402
from translate import translate  # noqa: E402

ALGORITHMS = ['reduce', 'scan', 'select', 'unique', 'histogram', 'sort', 'sort_pairs']


def compile_all(tools, headers, scratch):
    """The program, and its kernels' machine code."""
    os.environ['PATH'] = f'{tools}:{os.environ["PATH"]}'
    keep = scratch / 'keep'
    keep.mkdir()
    call(tools / 'nvcc', '-std=c++17', '-O3', '-arch=compute_80', '-cudart', 'none', '-c', '--keep', '--keep-dir', keep,
         '-I', headers, '-o', scratch / 'algorithms.o', HERE / 'algorithms.cu')
    call('g++', '-std=c++17', '-O1', '-o', scratch / 'algorithms', scratch / 'algorithms.o', HERE / 'runtime.cc')
    ptx = next(keep.glob('*.ptx'))
    cubin = Cubin(tools, ptx, scratch / 'algorithms.cubin')
    (scratch / 'cubin.pickle').write_bytes(pickle.dumps(cubin))
    call(*COMPILE, '-O2', '-c', '-o', scratch / 'main.o', EXECUTOR / 'main.cc')
    alignments = read_alignments(ptx.read_text())
    with open(scratch / 'kernels.txt', 'w') as file:
        for name, entry in cubin.entries.items():
            parameters = (f'{size} {alignment}' for size, alignment in zip(entry.parameters, alignments[name]))
            print(name, entry.registers, entry.shared, *parameters, file=file)


def read_alignments(ptx):
    """Alignments of each parameter of each entry."""
    found = {}
    for name, parameters in re.findall(r'\.entry (\w+)\((.*?)\)', ptx, re.S):
        found[name] = []
        for parameter in re.findall(r'\.param ([^,]*)', parameters):
            given = re.search(r'\.align (\d+)', parameter)
            found[name].append(int(given[1]) if given else int(re.search(r'\.[bufs](\d+)', parameter)[1]) // 8)
    return found


def record(name, group_count, threads, registers, shared, counts):
    """What a launch was and did."""
    executed, _, sectors, passes, local = map(sum, zip(*counts))
    return {'kernel': name, 'groups': group_count, 'threads': threads, 'registers': registers, 'shared': shared,
            'instructions': executed, 'sectors': sectors, 'passes': passes, 'local': local}


def execute(scratch, kernel, folder):
    """Executes a launch of CUB's, and adds its counts to the record."""
    cubin = pickle.loads((scratch / 'cubin.pickle').read_bytes())
    program = scratch / hashlib.sha256(kernel.encode()).hexdigest()
    if not program.exists():
        source = program.with_suffix('.cc')
        source.write_text(translate(cubin.listing, kernel))
        call(*COMPILE, '-O1', '-o', program, source, scratch / 'main.o')
    launch, counts = folder / 'launch.txt', folder / 'counts.txt'
    with open(launch, 'a') as file:
        for bank, data in cubin.constants(kernel).items():
            path = folder / f'constant{bank}.bin'
            path.write_bytes(data)
            print('constant', bank, path, file=file)
    call(program, launch, counts)
    lines = [line.split() for line in launch.read_text().splitlines()]
    values = {line[0]: list(map(int, line[1:])) for line in lines[:3]}
    counts = [list(map(int, line.split())) for line in counts.read_text().splitlines()]
    name = re.search(r'(Device\w+?)(?:Kernel)', kernel)
    found = record(name[1] if name else kernel, values['grid'][0], values['block'][0], cubin.entries[kernel].registers,
                   values['shared'][0], counts)
    with open(scratch / 'record.jsonl', 'a') as file:
        print(json.dumps(found), file=file)


def run(scratch, algorithm, elements):
    """Runs an algorithm of CUB's: the record of its launches."""
    record = scratch / 'record.jsonl'
    record.unlink(missing_ok=True)
    step = [sys.executable, Path(__file__).resolve(), '--launch', scratch]
    environment = {**os.environ, 'SCRATCH': str(scratch), 'EXECUTE': ' '.join(map(str, step))}
    done = subprocess.run([scratch / 'algorithms', algorithm, str(elements)], env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f'{algorithm} of {elements}: {done.stdout}{done.stderr}')
    return [json.loads(line) for line in record.read_text().splitlines()]


class Executor:
    """Executes the primitives' kernels."""

    def __init__(self, tools, images, scratch, hot=None):
        self.scratch, self.hot, self.launches = scratch, hot, []
        self.machine = Machine(scratch)
        self.tools, self.images = tools, images
        self.cubins, self.programs = {}, {}

    def run(self, algorithm, elements):
        """Runs an algorithm: the record of its launches."""
        self.launches = []
        if not Ours(self.launch).run(algorithm, elements):
            sys.exit(f'our {algorithm} of {elements} is wrong')
        return self.launches

    def launch(self, file, kernel, group_count, threads, shared, arguments):
        folder = self.scratch / 'ours'
        folder.mkdir(exist_ok=True)
        if kernel not in self.cubins:
            self.cubins[kernel] = Cubin(self.tools, self.images / f'{file}.sm_80.ptx', self.scratch / f'{kernel}.cubin', [kernel])
        cubin = self.cubins[kernel]
        entry = cubin.entries[kernel]
        if entry.parameters != sizes(arguments):
            sys.exit(f'parameters of {kernel} have {entry.parameters} bytes, and the arguments in ours.py {sizes(arguments)}')
        for number, buffer in enumerate(argument for argument in arguments if hasattr(argument, 'data')):
            buffer.result = f'buffer{number}'
        if kernel not in self.programs:
            self.programs[kernel] = self.machine.compile(self.scratch / kernel, cubin.listing, kernel)
        launch = Launch((group_count, 1, 1), (threads, 1, 1), entry.shared + shared, arguments, cubin.constants(kernel))
        counts, results = self.machine.execute(self.programs[kernel], folder, launch)
        for buffer in (argument for argument in arguments if hasattr(argument, 'data')):
            buffer.data = np.frombuffer(results[buffer.result], buffer.data.dtype)
        self.launches.append(record(kernel, group_count, threads, entry.registers, entry.shared + shared, counts))
        if self.hot and self.hot in kernel:
            print('\n'.join(listing.with_counts(cubin.listing, kernel, counts)))


def main(*arguments):
    if arguments[0] == '--launch':
        scratch, kernel, folder = arguments[1:]
        return execute(Path(scratch), kernel, Path(folder))
    if arguments[0] == '--ours':
        algorithm, elements, *hot = arguments[4:]
        executor = Executor(*map(Path, arguments[1:4]), *hot)
        return print(*executor.run(algorithm, int(elements)), sep='\n')
    tools, images, scratch, headers = map(Path, arguments[:4])
    executor = Executor(tools, images, scratch)
    compile_all(tools, headers, scratch)
    cases = [{'algorithm': algorithm, 'elements': int(n), 'cub': run(scratch, algorithm, int(n)), 'ours': executor.run(algorithm, int(n))}
             for n in arguments[4:] for algorithm in ALGORITHMS]
    json.dump(cases, sys.stdout, indent=2)


if __name__ == '__main__':
    main(*sys.argv[1:])
