"""Kernels of one instruction each: those that ptxas takes are loaded and run by the driver, and give the values in the list.

The list's first lines say what its lines mean.

    python3 instructions.py OUTCOMES LIST PTXAS
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter

from driver import Driver, Outcomes

HEAD = ".version 9.2\n.target sm_90\n.address_size 64\n"
REGISTERS = (
    ".reg .pred %p<8>; .reg .b8 %b<4>; .reg .b16 %h<12>; .reg .b32 %r<24>; .reg .b64 %d<12>; .reg .f32 %f<12>; "
    ".reg .f64 %g<8>; .reg .b128 %q<4>;"
)
# For each kind of register the store, and the bytes that it writes.
STORES = {"h": ("b16", 2), "r": ("b32", 4), "d": ("b64", 8), "f": ("b32", 4), "g": ("b64", 8), "q": ("b128", 16), "b": ("b8", 1)}
# Results lie behind what a body may use.
FIRST, SIZE = 256, 512


def kernel(line):
    """The text of a probe's module, and the values that it gives: offset, bytes, number."""
    entry, body, declarations, checks, stores = "(.param .u64 a)", "", "", [], ""
    directives = ""
    if line.startswith("MODULE "):
        declarations = line[7:]
    elif line.startswith("HEAD "):
        directives = line[5:]
    elif line.startswith("PARAMS "):
        return f"{HEAD}.visible .entry k({line[7:]}) {{ ret; }}\n", []
    else:
        text, _, values = line.partition("=>")
        if "##" in text:
            declarations, text = text.split("##", 1)
        body = text.strip()
        for place, value in enumerate(values.split()):
            register, number = value.split("=")
            at = FIRST + place * 16
            kind, size = STORES.get(register[1], ("b32", 4))
            if register[1] == "p":
                stores += f" selp.b32 %r23,1,0,{register}; st.global.b32 [%d11+{at}],%r23;"
            else:
                stores += f" st.global.{kind} [%d11+{at}],{register};"
            checks.append((at, size, register, int(number, 16)))
    start = "ld.param.u64 %d0,[a]; ld.param.u64 %d11,[a];"
    text = f"{HEAD}{declarations}\n.visible .entry k{entry} {directives} {{\n{REGISTERS}\n{start}\n{body}\n{stores}\nret;\n}}\n"
    return text, checks


def takes(ptxas, text, folder):
    path = f"{folder}/probe.ptx"
    with open(path, "w") as file:
        file.write(text)
    answer = subprocess.run([ptxas, "-arch", "sm_90", path, "-o", f"{folder}/probe.cubin"], capture_output=True)
    return answer.returncode == 0


def probe(driver, text, checks):
    module = driver.load(text.encode() + b"\0")
    if not checks:
        return
    memory = driver.memory(FIRST + SIZE)
    driver.write(memory, bytes(FIRST + SIZE))
    driver.launch(driver.function(module, "k"), 1, 1, memory)
    found = driver.read(memory, FIRST + SIZE)
    for at, size, register, number in checks:
        has = int.from_bytes(found[at : at + size], "little")
        if has != number:
            raise ValueError(f"{register} is {has:#x}, not {number:#x}")


def main(path, probes, ptxas):
    outcomes = Outcomes(path)
    driver = Driver()
    with tempfile.TemporaryDirectory() as folder, open(probes) as lines:
        names = Counter()
        for line in map(str.strip, lines):
            if not line or line.startswith("#"):
                continue
            name = re.sub(r"[|`\s]+", " ", line)[:160]
            names[name] += 1
            if names[name] > 1:
                name = f"{name} ({names[name]})"
            if name in outcomes.done:
                continue
            text, checks = kernel(line)
            if not takes(ptxas, text, folder):
                outcomes.write(name, "skipped", "ptxas refuses it")
                continue
            outcomes.run(name, lambda: probe(driver, text, checks))
            driver.reset()
    outcomes.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
