"""What kernels are given: ours as the host lays it out, and those of CUDA C."""

import struct
from dataclasses import dataclass

import numpy

# Bytes of workgroup memory that a kernel of groups has before its own.
GROUP_BYTES = 1024
# Where the parameters are in bank 0 of constants on sm_80 and sm_86, and the windows and the stack that it says.
PARAMETERS, WINDOWS, STACK = 0x160, 0x18, 0x28
SHARED_ADDRESS, LOCAL_ADDRESS, LOCAL_BYTES = 0x7f0000000000, 0x7f1000000000, 1 << 15


@dataclass
class Value:
    """Bytes of a parameter, aligned to `alignment`."""
    bytes: bytes
    alignment: int


@dataclass
class Buffer:
    """Global memory. What the launch leaves there is the result of that name."""
    data: numpy.ndarray
    result: str = '-'
    alignment = 8


@dataclass
class Texture:
    """An image of four bytes a texel; a parameter is its number."""
    data: numpy.ndarray
    result: str = '-'
    alignment = 8


def u32(value):
    return Value(struct.pack('<I', value), 4)


def u64(value):
    return Value(struct.pack('<Q', value), 8)


def f32(value):
    return Value(struct.pack('<f', value), 4)


def floats(array):
    """A struct of floats by value."""
    return Value(numpy.asarray(array, numpy.float32).tobytes(), 4)


def reads(array):
    return Buffer(numpy.ascontiguousarray(array))


def changes(array, result):
    return Buffer(numpy.ascontiguousarray(array), result)


def writes(count, result):
    """Memory of `count` words."""
    return Buffer(numpy.full(count, 0xcdcdcdcd, numpy.uint32), result)


# Ours.

def threads(*sizes):
    """What a kernel of threads has in front: the last thread along each axis."""
    return [u32(size - 1) for size in sizes]


def items(buffer, count):
    return [buffer, u64(count)]


def items_per_thread(buffer, count):
    """Of a launch over as many threads."""
    return [buffer, u64(count), u32(count)]


def grid(buffer, *sizes):
    """A matrix or a volume."""
    return [buffer, *map(u32, sizes)]


def grid_per_thread(buffer, sizes, owners):
    """A matrix or a volume of which each thread of a launch with `owners` along x, y and z has an element."""
    return [buffer, *map(u32, sizes), *map(u32, owners)]


def image(texture):
    """A texture or a surface without filter, whose edges go on."""
    height, width = texture.data.shape[:2]
    return [texture, texture, u32(width), u32(height), u32(1), u32(0)]


# Both.

@dataclass
class Launch:
    """All that a launch is given; `shared` and `constants` are the bytes of the group's memory, and of banks of constants."""
    grid: tuple
    block: tuple
    shared: int
    arguments: list
    constants: dict


def write_launch(folder, launch):
    """Writes what `main.cc` reads, and returns the file's path."""
    lines = ['grid %d %d %d' % launch.grid, 'block %d %d %d' % launch.block, f'shared {launch.shared}']
    bank, address, textures, seen = bytearray(PARAMETERS), 0x7f2000000000, 0, {}
    struct.pack_into('<6I', bank, 0, *launch.block, *launch.grid)
    struct.pack_into('<2Q', bank, WINDOWS, SHARED_ADDRESS, LOCAL_ADDRESS)
    struct.pack_into('<I', bank, STACK, LOCAL_BYTES)
    for number, argument in enumerate(launch.arguments):
        bank += bytes(-len(bank) % argument.alignment)
        if isinstance(argument, Value):
            bank += argument.bytes
            continue
        if id(argument) not in seen:
            path = folder / f'argument{number}.bin'
            argument.data.tofile(path)
            result = '-' if argument.result == '-' else folder / f'{argument.result}.result'
            if isinstance(argument, Texture):
                textures += 1
                seen[id(argument)] = textures
                lines.append('texture %d %d %s %s' % (*argument.data.shape[1::-1], path, result))
            else:
                seen[id(argument)] = address
                lines.append(f'buffer {address} {path} {result}')
                address += -(-argument.data.nbytes // 4096) * 4096 + 4096
        bank += struct.pack('<Q', seen[id(argument)])
    for number, data in {0: bank, **launch.constants}.items():
        path = folder / f'constant{number}.bin'
        path.write_bytes(data)
        lines.append(f'constant {number} {path}')
    path = folder / 'launch.txt'
    path.write_text('\n'.join(lines) + '\n')
    return path


def sizes(arguments):
    """Bytes of each parameter."""
    return [len(argument.bytes) if isinstance(argument, Value) else 8 for argument in arguments]
