"""Starts the emulator's server, whose path is the first argument, after fixes, and with more that it can be asked.

The emulator reads workgroup memory, and writes back what it read, also for lanes that are switched off, at whatever
address their registers hold: beyond that memory it crashes. Access to global memory is limited to active lanes; here
access to workgroup memory is, too.

It describes permutations of lanes by the manual's text, whose `%` its parser doesn't know and leaves out, with all that
comes after. So it reads the register of whatever lane a register names that a lane that is switched off has never
written, and crashes. Here the text says the same with `&`.

Of a compare-and-swap of 64 bits it reads the first register only, where the new value and the expected one are in four.

In CDNA's flat instructions it takes a field that says nothing for a register to add.

It gives all waves of a group the same private memory, so that after a barrier each has what the last one wrote.

And it lacks the three instructions that read and write the program counter, with which code finds its constants and
calls functions.

An emulator that has the fixes stays as it is.

Requests are those of the server, and each may also have:

  "at": address     the module's memory is there, in the shared memory, where the caller has put all but the code
  "open": [[address, bytes], ...]     kernels may use this shared memory from now on
  "close": [[address, bytes], ...]    and this no longer: it is closed before the other is opened

With --guarded all of the shared memory is closed at first. Access to what is closed ends the process.
"""

import sys

# Not what lies in the folder that the program runs in.
sys.path = [folder for folder in sys.path if folder]

import argparse
import ctypes
import importlib.util
import json
import os
import struct
from pathlib import Path

EMULATOR = "test.mockgpu.amd.emu"
SOURCE = "    srcs = {'S0': ctx.rsrc_dyn(ssrc0_off, None, bits['s0'], literal)}\n"
PROGRAM_COUNTER = """
    if _op_name(inst) in ('S_GETPC_B64', 'S_SETPC_B64', 'S_SWAPPC_B64'):
      stores, jump = [], ctx.inc_pc()
      if _op_name(inst) != 'S_GETPC_B64':
        lo, hi = _split64(ctx.rsrc_dyn(ssrc0_off, None, 64, literal))
        jump = [ctx.wsgpr_dyn(_c(PC_LO_IDX), lo), ctx.wsgpr_dyn(_c(PC_HI_IDX), hi)]
      if _op_name(inst) != 'S_SETPC_B64':
        lo, hi = _split64(ctx.rpc() + UOp.const(4, dtypes.uint64))
        stores = [ctx.wsgpr_dyn(sdst_off, lo), ctx.wsgpr_dyn(sdst_off + _c(1), hi)]
      return UOp.sink(*stores, *jump)
"""
ATOMIC = """      return {'ADDR': addr, 'DATA': atomic_data, """
WIDE_ATOMIC = """      pair = lambda i: _u64(ctx.rvgpr_dyn(vdata_reg + _c(i), lane), ctx.rvgpr_dyn(vdata_reg + _c(i + 1), lane))
      atomic_data = pair(0) if data_bits_mem == 128 else atomic_data
      expected = {'DATA2': pair(2)} if data_bits_mem == 128 else {}
      return {'ADDR': addr, 'DATA': atomic_data, **expected, """
ATOMIC_TEXT = "parse_pcode(pcode, make_srcs(lane))\n  stores = "
WIDE_ATOMIC_TEXT = (
    "parse_pcode(pcode.replace('DATA[63 : 0].u64', 'DATA.u64').replace('DATA[127 : 64].u64', 'DATA2.u64')\n"
    "    if is_atomic else pcode, make_srcs(lane))\n  stores = "
)
FIXES = {
    "'_lds': mem, 'laneId'": "'_lds': mem, '_active': _lane_active(exec_mask, lane), 'laneId'",
    "idx = mem.index(addr >> addr_shift)\n": "idx = mem.index((addr >> addr_shift).valid(active))\n",
    "pcode = get_pcode(inst.op)\n    srcs = {'ADDR'": "pcode = get_pcode(inst.op).replace('% 64U', '& 63U').replace('% 32', '& 31')\n"
    "    srcs = {'ADDR'",
    ATOMIC: WIDE_ATOMIC,
    ATOMIC_TEXT: WIDE_ATOMIC_TEXT,
    SOURCE: PROGRAM_COUNTER + SOURCE,
    "= _c(0), _c(0), ctx.optional_field(inst, 'saddr')\n": "= _c(0), _c(0), "
    "None if type(inst) is irc.FLAT else ctx.optional_field(inst, 'saddr')\n",
    "scratch_size * wave_size": "scratch_size * wave_size * -(-total_threads // wave_size)",
    "scratch_buf._buf.va_addr if": "scratch_buf._buf.va_addr + scratch_size * wave_start if",
}
SHARED, FIXED_NOREPLACE = 0x1, 0x100000
NONE, READ_WRITE = 0, 3


def module_of(name, path, fixes):
    spec = importlib.util.spec_from_file_location(name, path)
    source = Path(path).read_text()
    for text, fixed in fixes.items():
        source = source.replace(text, fixed)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    exec(compile(source, path, "exec"), module.__dict__)
    return module


def placed(path, architecture, address):
    """A module whose memory is the caller's."""
    module = server.Module(path, architecture)
    memory = memoryview((ctypes.c_ubyte * len(module.memory)).from_address(address)).cast("B")
    image = Path(path).read_bytes()
    (headers,), (count,) = struct.unpack_from("<Q", image, 32), struct.unpack_from("<H", image, 56)
    for i in range(count):
        kind, flags, _, start, _, size, _, _ = struct.unpack_from("<IIQQQQQQ", image, headers + 56 * i)
        if kind == 1 and flags & 1:
            # The code, of which the server has changed what the emulator doesn't know.
            memory[start : start + size] = module.memory[start : start + size]
    module.memory, module.base = memory, address
    return module


def find(request):
    path, at = request["code"], request.get("at")
    architecture = request.get("arch", "gfx1100")
    key = (path, os.stat(path).st_mtime_ns) if at is None else at
    if key not in modules:
        modules[key] = server.Module(path, architecture) if at is None else placed(path, architecture, at)
    return modules[key]


def protect(areas, protection):
    for address, size in areas:
        if libc.mprotect(address, size, protection) != 0:
            raise OSError(ctypes.get_errno(), f"can't protect {size} bytes at {address:#x}")


def answer(request):
    protect(request.get("close", []), NONE)
    protect(request.get("open", []), READ_WRITE)
    if "kernel" not in request:
        return {"ok": True}
    module = find(request)
    arguments = bytes.fromhex(request["kernarg"])
    workgroup = request.get("workgroup_bytes", 0)
    module.launch(request["kernel"], request["groups"], request["threads"], arguments, workgroup)
    return {"ok": True}


def load(path):
    """The emulator and its server, with the fixes, from the server's path."""
    sys.path.insert(0, str(Path(path).parent))
    emulator = module_of(EMULATOR, importlib.util.find_spec(EMULATOR).origin, FIXES)
    return emulator, module_of("amdgpu_serve", path, {})


def serve():
    global server, libc, modules
    parser = argparse.ArgumentParser()
    parser.add_argument("script")
    parser.add_argument("--memory", required=True)
    parser.add_argument("--address", type=int, required=True)
    parser.add_argument("--bytes", type=int, required=True)
    parser.add_argument("--guarded", action="store_true")
    options = parser.parse_args()
    _, server = load(options.script)

    libc = server.libc
    libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    memory = os.open(options.memory, os.O_RDWR)
    protection = NONE if options.guarded else READ_WRITE
    mapped = libc.mmap(options.address, options.bytes, protection, SHARED | FIXED_NOREPLACE, memory, 0)
    if mapped != options.address:
        sys.exit(f"can't map {options.memory} at {options.address:#x}")

    modules = {}
    for line in sys.stdin:
        try:
            said = answer(json.loads(line))
        except Exception as error:
            said = {"ok": False, "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    serve()
