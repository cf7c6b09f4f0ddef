"""Instructions after which lanes go on elsewhere, or wait. The warp's lanes are scheduled anew after each."""

import re

from instructions import EACH_LANE
from operands import Unknown, bits, integer, is_predicate, predicate

NAMES = ('BRA', 'JMP', 'CALL', 'RET', 'BRX', 'BRXU', 'EXIT', 'BAR', 'BSSY', 'BSYNC', 'BREAK')


def translate(name, modifiers, operands, labels):
    """Statements for the lanes of `x`, which is not empty. All active lanes go on behind the instruction otherwise."""
    if name in ('BRA', 'JMP', 'CALL'):
        return branch(modifiers, operands, labels)
    if name == 'RET':
        return f'{EACH_LANE}w.pc[lane]={bits(operands[0].split()[0])}/16;'
    if name in ('BRX', 'BRXU'):
        register, offset = re.match(r'(U?R\d+) (-?0x[0-9a-f]+)', operands[0]).groups()
        return f'{EACH_LANE}w.pc[lane]=(int)({bits(register)}+16*(pc+1)+{offset})/16;'
    if name == 'EXIT':
        return 'w.exit(x);'
    if name == 'BAR':
        if modifiers[0] == 'RED':
            kind = {'OR': 'ANY', 'AND': 'ALL', 'POPC': 'COUNT'}[modifiers[1]]
            yes = f'uint32_t y=0;{EACH_LANE}y|=(uint32_t){predicate(operands[1])}<<lane;'
            return f'{yes}machine.ask(Vote::{kind},x,y);w.wait_for_group(x);'
        if modifiers[0] != 'SYNC':
            raise Unknown('BAR.' + modifiers[0])
        return 'w.wait_for_group(x);'
    barrier = int(operands[-1 if name == 'BREAK' else 0][1:])
    if name == 'BSSY':
        return f'w.expected[{barrier}]=x;'
    if name == 'BSYNC':
        return f'w.arrive({barrier},x);'
    leaving = f'(uint32_t){predicate(operands[0])}' if len(operands) > 1 else '1u'
    return f'uint32_t y=0;{EACH_LANE}y|={leaving}<<lane;w.leave({barrier},y);'


def branch(modifiers, operands, labels):
    label = re.fullmatch(r'`\((.*)\)', operands[-1])
    if not label or label[1] not in labels:
        raise Unknown(f'label {operands[-1]}')
    target = labels[label[1]]
    if 'DIV' in modifiers:
        expected = integer(operands[0]) if len(operands) > 1 else '0xffffffffu'
        return f'if(x!={expected})w.jump(x,{target});'
    if len(operands) > 1 and is_predicate(operands[0].lstrip('!')):
        return f'uint32_t y=0;{EACH_LANE}y|=(uint32_t){predicate(operands[0])}<<lane;w.jump(y,{target});'
    return f'w.jump(x,{target});'
