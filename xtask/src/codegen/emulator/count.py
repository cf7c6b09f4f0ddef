"""Counts what kernels execute in the emulator of AMD's GPUs: `count.py SERVE SCRIPT`, the paths of `serve.py`, which mends the
emulator, and of the emulator's `amdgpu_serve.py`.

Each line on stdin is a launch as JSON, and each answer a line:

  {"code": "kernels.hsaco", "arch": "gfx1100", "kernel": "saxpy", "groups": [4, 1, 1], "threads": [64, 1, 1],
   "workgroup_bytes": 0, "buffers": ["hex of its bytes", ...], "kernarg": "hex of the argument bytes",
   "pointers": [[offset in the arguments, number of the buffer], ...]}

  {"ok": true, "instructions": {"s_endpgm": 8, ...}, "transactions": 12, "scratch": 0, "buffers": ["hex", ...]}
  {"ok": false, "error": "..."}

Instructions are of waves, by name. Transactions are the cache lines of buffers that each access of a wave touches; scratch
are the accesses of a wave to its threads' own memory. Access outside of the buffers is an error.
"""

import ctypes
import importlib.util
import json
import sys
from collections import Counter
from types import SimpleNamespace

# Bytes of a cache line, by the start of the architecture's name.
LINES = {"gfx9": 64, "gfx11": 128}
# Each buffer begins at a line, as those of an allocator do, and has room around it that belongs to nobody.
ALIGNMENT = 4096
# Register numbers from which on a scalar base means that there is none: NULL, and EXEC_HI where that stands for it.
NO_BASE = 124
SGPRS, VGPRS = 0, 1
# What the names of instructions say of how many bytes a thread accesses, or a wave by a scalar load.
BYTES = {"BYTE": 1, "UBYTE": 1, "SBYTE": 1, "SHORT": 2, "USHORT": 2, "SSHORT": 2}
BYTES |= {f"{kind}{bits}": bits // 8 for kind in "BUI" for bits in (8, 16, 32, 64, 96, 128, 256, 512)}
BYTES |= {"DWORD": 4} | {f"DWORDX{count}": 4 * count for count in (2, 3, 4, 8, 16)}


def accessed_bytes(name, inst):
    sizes = [BYTES[part] for part in name.split("_") if part in BYTES]
    # Atomics of CDNA name no size.
    return sizes[-1] if sizes else inst.canonical_op_bits["data"] // 8


def signed(inst, field):
    """The value of a field of two's complement."""
    descriptor, value = getattr(type(inst), field), int(getattr(inst, field))
    bits = descriptor.hi - descriptor.lo + 1
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


class Launch:
    """The counts of one launch."""

    def __init__(self, module, areas, line):
        self.code = (module.base, module.base + len(module.memory))
        self.areas, self.line = areas, line
        self.instructions, self.transactions, self.scratch = Counter(), 0, 0

    def touch(self, name, starts, size):
        """Counts the lines of an access whose threads' parts begin at these addresses."""
        lines = set()
        for start in starts:
            if not any(begin <= start and start + size <= end for begin, end in self.areas):
                raise IndexError(f"{name} accesses {size} bytes at {start:#x}, outside of the buffers")
            lines.update(range(start // self.line, (start + size - 1) // self.line + 1))
        self.transactions += len(lines)

    def vector(self, name, inst, lanes):
        """What counts an access by the threads of a wave, from the wave's registers."""
        size, offset = accessed_bytes(name, inst), signed(inst, "offset")
        address = inst.addr.offset - 256
        base = inst.saddr.offset if name.startswith("GLOBAL") else NO_BASE

        def count(sgprs, vgprs):
            low = vgprs[address * lanes : (address + 1) * lanes]
            if base < NO_BASE:
                start = sgprs[base] | sgprs[base + 1] << 32
                starts = [start + low[lane] + offset for lane in active(sgprs, lanes)]
            else:
                high = vgprs[(address + 1) * lanes : (address + 2) * lanes]
                starts = [(low[lane] | high[lane] << 32) + offset for lane in active(sgprs, lanes)]
            if name.startswith("FLAT"):
                apertures = {start >> 32 for start in starts}
                self.scratch += emulator.PRIVATE_HI in apertures
                starts = [at for at in starts if at >> 32 not in (emulator.PRIVATE_HI, emulator.SHARED_HI)]
            self.touch(name, starts, size)

        return count

    def scalar(self, name, inst):
        """What counts a scalar load, unless it is of the arguments or of constants beside the code."""
        size, offset, base = accessed_bytes(name, inst), signed(inst, "offset"), inst.sbase.offset
        has_register = getattr(inst, "soffset_en", 1)
        register = inst.soffset.offset if has_register else NO_BASE

        def count(sgprs, _):
            start = (sgprs[base] | sgprs[base + 1] << 32) + offset
            start += sgprs[register] if register < NO_BASE else 0
            if any(begin <= start < end for begin, end in self.areas):
                self.touch(name, [start], size)

        return count

    def counted(self, decoded):
        """An instruction that counts itself, then does what it does."""
        (program, runtime), inst = decoded
        name = emulator._op_name(inst)
        kind, function = type(inst).__name__, runtime.fxn
        lanes = 64 if "cdna" in type(inst).__module__ else 32
        short = name.lower()
        instructions = self.instructions
        if kind in ("GLOBAL", "FLAT"):
            count = self.vector(name, inst, lanes)
        elif kind == "SMEM" and "LOAD" in name:
            count = self.scalar(name, inst)
        elif kind == "SCRATCH":

            def count(_, __):
                self.scratch += 1

        elif kind in ("MUBUF", "MTBUF", "MIMG"):
            raise NotImplementedError(f"{name}: nobody counts its accesses")
        else:

            def run(*registers):
                instructions[short] += 1
                function(*registers)

            return (program, SimpleNamespace(fxn=run)), inst

        def run_counted(sgprs, vgprs, *registers):
            instructions[short] += 1
            count(words(sgprs, emulator.SGPR_COUNT), words(vgprs, 256 * lanes))
            function(*registers)

        uses = SimpleNamespace(globals=[SGPRS, VGPRS, *program.arg.globals])
        return (SimpleNamespace(arg=uses), SimpleNamespace(fxn=run_counted)), inst


def words(address, count):
    return memoryview((ctypes.c_uint32 * count).from_address(address.value)).cast("B").cast("I")


def active(sgprs, lanes):
    """The lanes that are switched on."""
    low = emulator.EXEC_LO.offset
    mask = sgprs[low] | (sgprs[low + 1] << 32 if lanes == 64 else 0)
    return [lane for lane in range(lanes) if mask >> lane & 1]


def placed(buffers):
    """Memory with the buffers in it, and where each begins and ends."""
    size = ALIGNMENT + sum(2 * ALIGNMENT + len(buffer) for buffer in buffers)
    memory = ctypes.create_string_buffer(size)
    at, areas = ctypes.addressof(memory), []
    for buffer in buffers:
        at = (at + ALIGNMENT) // ALIGNMENT * ALIGNMENT
        ctypes.memmove(at, buffer, len(buffer))
        areas.append((at, at + len(buffer)))
        at += len(buffer)
    return memory, areas


def answer(request):
    architecture = request["arch"]
    line = next(size for start, size in LINES.items() if architecture.startswith(start))
    key = (request["code"], architecture)
    if key not in modules:
        modules[key] = server.Module(*key)
    module = modules[key]
    memory, areas = placed([bytes.fromhex(buffer) for buffer in request["buffers"]])
    arguments = bytearray.fromhex(request["kernarg"])
    arguments = arguments.ljust(module.descriptor(request["kernel"])["kernarg"], b"\0")
    for offset, buffer in request["pointers"]:
        arguments[offset : offset + 8] = areas[buffer][0].to_bytes(8, "little")
    launch = Launch(module, areas, line)
    emulator._decode_at = lambda counter, family: launch.counted(decode(counter, family))
    shape = request["groups"], request["threads"]
    module.launch(request["kernel"], *shape, bytes(arguments), request.get("workgroup_bytes", 0))
    return {
        "ok": True,
        "instructions": launch.instructions,
        "transactions": launch.transactions,
        "scratch": launch.scratch,
        "buffers": [ctypes.string_at(begin, end - begin).hex() for begin, end in areas],
    }


spec = importlib.util.spec_from_file_location("serve", sys.argv[1])
serve = importlib.util.module_from_spec(spec)
spec.loader.exec_module(serve)
emulator, server = serve.load(sys.argv[2])
decode = emulator._decode_at

modules = {}
for request in sys.stdin:
    try:
        said = answer(json.loads(request))
    except Exception as error:
        said = {"ok": False, "error": f"{type(error).__name__}: {error}"}
    print(json.dumps(said), flush=True)
