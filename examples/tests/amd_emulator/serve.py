"""Starts the emulator's server, whose path is the first argument, after a fix.

The emulator reads workgroup memory, and writes back what it read, also for lanes that are switched off, at whatever
address their registers hold: beyond that memory it crashes. Access to global memory is limited to active lanes; here
access to workgroup memory is, too. An emulator that has the fix stays as it is.
"""

import importlib.util
import runpy
import sys
from pathlib import Path

EMULATOR = "test.mockgpu.amd.emu"
FIXES = {
    "'_lds': mem, 'laneId'": "'_lds': mem, '_active': _lane_active(exec_mask, lane), 'laneId'",
    "idx = mem.index(addr >> addr_shift)\n": "idx = mem.index((addr >> addr_shift).valid(active))\n",
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
