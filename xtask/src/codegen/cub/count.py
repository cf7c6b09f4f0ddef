"""Compiles CUB's algorithms, executes their kernels, and prints what each did, as JSON.

usage: count.py TOOLS HEADERS SCRATCH ELEMENTS...

TOOLS is the folder of nvcc, ptxas and nvdisasm, HEADERS that of CUB. CUB's own host code chooses the kernels and launches them, on a runtime
(`runtime.cc`) that calls this program for each launch: count.py --launch SCRATCH KERNEL FOLDER
"""

import hashlib
import json
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / 'executor'))

from cubin import Cubin, call  # noqa: E402
from machine import COMPILE  # noqa: E402
from machine import HERE as EXECUTOR  # noqa: E402
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


def execute(scratch, kernel, folder):
    """Executes a launch, and adds its counts to the record."""
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
    sizes = {line[0]: list(map(int, line[1:])) for line in lines[:3]}
    executed, _, sectors, passes, local = map(sum, zip(*(map(int, line.split()) for line in counts.read_text().splitlines())))
    name = re.search(r'(Device\w+?)(?:Kernel)', kernel)
    record = {'kernel': name[1] if name else kernel, 'groups': sizes['grid'][0], 'threads': sizes['block'][0],
              'registers': cubin.entries[kernel].registers, 'shared': sizes['shared'][0], 'instructions': executed,
              'sectors': sectors, 'passes': passes, 'local': local}
    with open(scratch / 'record.jsonl', 'a') as file:
        print(json.dumps(record), file=file)


def run(scratch, algorithm, elements):
    """Runs an algorithm: the record of its launches."""
    record = scratch / 'record.jsonl'
    record.unlink(missing_ok=True)
    step = [sys.executable, Path(__file__).resolve(), '--launch', scratch]
    environment = {**os.environ, 'SCRATCH': str(scratch), 'EXECUTE': ' '.join(map(str, step))}
    done = subprocess.run([scratch / 'algorithms', algorithm, str(elements)], env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f'{algorithm} of {elements}: {done.stdout}{done.stderr}')
    launches = [json.loads(line) for line in record.read_text().splitlines()]
    return {'algorithm': algorithm, 'elements': elements, 'launches': launches}


def main(*arguments):
    if arguments[0] == '--launch':
        scratch, kernel, folder = arguments[1:]
        return execute(Path(scratch), kernel, Path(folder))
    tools, headers, scratch = map(Path, arguments[:3])
    compile_all(tools, headers, scratch)
    json.dump([run(scratch, algorithm, int(n)) for n in arguments[3:] for algorithm in ALGORITHMS], sys.stdout, indent=2)


if __name__ == '__main__':
    main(*sys.argv[1:])
