"""Starts the emulator's server, whose path is the first argument, after two fixes.

The emulator reads workgroup memory, and writes back what it read, also for lanes that are switched off, at whatever
address their registers hold: beyond that memory it crashes. Access to global memory is limited to active lanes; here
access to workgroup memory is, too.

It describes permutations of lanes by the manual's text, whose `%` its parser doesn't know and leaves out, with all that
comes after. So it reads the register of whatever lane a register names that a lane that is switched off has never
written, and crashes. Here the text says the same with `&`.

An emulator that has the fixes stays as it is.
"""

import importlib.util
import runpy
import sys
from pathlib import Path

EMULATOR = "test.mockgpu.amd.emu"
FIXES = {
    "'_lds': mem, 'laneId'": "'_lds': mem, '_active': _lane_active(exec_mask, lane), 'laneId'",
    "idx = mem.index(addr >> addr_shift)\n": "idx = mem.index((addr >> addr_shift).valid(active))\n",
    "pcode = get_pcode(inst.op)\n    srcs = {'ADDR'": "pcode = get_pcode(inst.op).replace('% 64U', '& 63U').replace('% 32', '& 31')\n"
    "    srcs = {'ADDR'",
}

server = sys.argv[1]
sys.path.insert(0, str(Path(server).parent))
spec = importlib.util.find_spec(EMULATOR)
source = Path(spec.origin).read_text()
for text, fixed in FIXES.items():
    source = source.replace(text, fixed)
emulator = importlib.util.module_from_spec(spec)
sys.modules[EMULATOR] = emulator
exec(compile(source, spec.origin, "exec"), emulator.__dict__)

sys.argv = sys.argv[1:]
runpy.run_path(server, run_name="__main__")
