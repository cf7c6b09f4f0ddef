"""PTX assembled: listings, registers and constants of kernels."""

import re
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

ARCHITECTURE = 'sm_86'


@dataclass
class Entry:
    registers: int
    # Bytes that the kernel declares itself.
    shared: int
    # Bytes of each parameter.
    parameters: list


class Cubin:
    """A file of PTX as machine code: all of it, or these entries."""

    def __init__(self, tools, ptx, path, entries=()):
        chosen = [option for entry in entries for option in ('--entry', entry)]
        said = call(tools / 'ptxas', '-v', f'-arch={ARCHITECTURE}', *chosen, '-o', path, ptx)
        self.listing = call(tools / 'nvdisasm', '-c', path)
        self.bytes = path.read_bytes()
        parameters = read_parameters(ptx.read_text())
        self.entries = {}
        name = None
        for line in said.splitlines():
            if match := re.search(r"Compiling entry function '(\w+)'", line):
                name = match[1]
            elif (match := re.search(r'Used (\d+) registers', line)) and name:
                shared = re.search(r'(\d+) bytes smem', line)
                self.entries[name] = Entry(int(match[1]), int(shared[1]) if shared else 0, parameters.get(name, []))
                name = None

    def constants(self, kernel):
        """The banks of constants that the code brings along."""
        names = {2: f'.nv.constant2.{kernel}', 3: '.nv.constant3'}
        return {bank: data for bank, name in names.items() if (data := self.section(name))}

    def section(self, wanted):
        """Bytes of a section of the ELF file."""
        start, = struct.unpack_from('<Q', self.bytes, 0x28)
        count, names = struct.unpack_from('<HH', self.bytes, 0x3c)
        headers = [struct.unpack_from('<II4Q', self.bytes, start + 64 * i) for i in range(count)]
        for name, _, _, _, offset, size in headers:
            at = headers[names][4] + name
            if self.bytes[at:self.bytes.index(b'\0', at)].decode() == wanted:
                return self.bytes[offset:offset + size]


def read_parameters(ptx):
    """Bytes of each parameter of each entry."""
    found = {}
    for name, parameters in re.findall(r'\.entry (\w+)\((.*?)\)', ptx, re.S):
        sizes = []
        for parameter in re.findall(r'\.param ([^,]*)', parameters):
            length = re.search(r'\[(\d+)\]', parameter)
            sizes.append(int(length[1]) if length else int(re.search(r'\.[bufs](\d+)', parameter)[1]) // 8)
        found[name] = sizes
    return found


def call(*command):
    """What a program says, on both streams."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise RuntimeError(f'{Path(command[0]).name}: {done.stdout[-2000:]}')
    return done.stdout
