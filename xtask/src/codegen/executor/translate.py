"""One kernel's machine code as C++: the cases of a switch by the instruction's number, and what each accesses."""

import re

import control
import listing
import memory
from instructions import EACH_LANE, OPCODES, UNIFORM, WARP, arithmetic
from operands import Unknown, predicate, split


def translate(text, kernel):
    """The C++ of a kernel in a listing. What isn't translated fails only if it is executed."""
    instructions, labels = listing.read(text, kernel)
    cases, spaces, sizes = [], [], []
    for number, instruction in enumerate(instructions):
        guard, opcode, *modifiers, operands = parse(instruction)
        space, size = memory.SPACES.get(opcode, 'none'), 0
        try:
            body, size = statements(opcode, modifiers, operands, labels)
            active = f'uint32_t x=0;for(int lane=0;lane<32;lane++)if(active>>lane&1)x|=(uint32_t){predicate(guard)}<<lane;'
            if guard == 'PT':
                active = 'uint32_t x=active;'
        except (Unknown, KeyError, ValueError, IndexError, TypeError, AttributeError) as error:
            reason = f'{instruction}: {error}'.replace('\\', '').replace('"', "'")
            active, body = 'uint32_t x=active;', f'(void)x;fail("not translated: {reason}");'
        cases.append(f'case {number}:{{const int pc={number};{active}{body}break;}}')
        spaces.append(f'Space::{space}_')
        sizes.append(str(size))
    return '\n'.join([
        '#include "machine.hh"',
        f'const Space SPACES[]={{{",".join(spaces)}}};',
        f'const int SIZES[]={{{",".join(sizes)}}};',
        f'const int INSTRUCTIONS={len(instructions)};',
        'void run(Warp&w){run_warp(w,[](Warp&w,uint32_t active,int pc_){switch(pc_){',
        *cases,
        'default:fail("beyond the end of the code");}return false;});}',
        '',
    ])


def parse(instruction):
    """Guard, opcode, modifiers and operands."""
    guard = 'PT'
    if match := re.match(r'@(!?U?P[0-9T]+)\s+(.*)', instruction):
        guard, instruction = match.groups()
    name, _, operands = instruction.partition(' ')
    return [guard, *name.split('.'), split(operands)]


def statements(opcode, modifiers, operands, labels):
    """Statements of an instruction, and the bytes that a lane accesses."""
    if opcode in control.NAMES:
        body = control.translate(opcode, modifiers, operands, labels)
        return f'w.count(pc,x);if(x){{w.go_on(active,pc);{body}return true;}}', 0
    if access := memory.translate(opcode, modifiers, operands):
        body, size, lanes = (*access, 'x')[:3]
        return f'uint64_t addresses[32];{body}w.count_access(pc,{lanes},addresses);', size
    if opcode not in OPCODES:
        raise Unknown(opcode)
    scope, function = OPCODES[opcode]
    body = function(opcode, modifiers, operands) if function is arithmetic else function(modifiers, operands)
    if scope is UNIFORM:
        body = f'if(x){{const int lane=0;(void)lane;{body}}}'
    elif scope is not WARP:
        body = f'{EACH_LANE}{{{body}}}'
    return f'w.count(pc,x);{body}', 0
