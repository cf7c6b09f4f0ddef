"""Operands of machine instructions, as C++ expressions over the warp `w` and its lane `lane`."""

import re
import struct


class Unknown(Exception):
    """An instruction or operand that isn't translated."""


# Comparisons of floats `a` and `b`; those with a U are true where one isn't a number.
FLOAT_COMPARISONS = {
    'LT': 'a<b', 'EQ': 'a==b', 'LE': 'a<=b', 'GT': 'a>b', 'NE': '(a<b||a>b)', 'GE': 'a>=b',
    'NUM': '(a==a&&b==b)', 'NAN': '!(a==a&&b==b)', 'LTU': '!(a>=b)', 'EQU': '!(a<b||a>b)', 'LEU': '!(a>b)',
    'GTU': '!(a<=b)', 'NEU': 'a!=b', 'GEU': '!(a<b)', 'T': 'true', 'F': 'false',
}
INTEGER_COMPARISONS = {'LT': '<', 'EQ': '==', 'LE': '<=', 'GT': '>', 'NE': '!=', 'GE': '>='}
JOINS = {'AND': '&&', 'OR': '||', 'XOR': '!='}
SPECIAL_REGISTERS = {
    'SR_TID.X': 'thread(w,lane,0)', 'SR_TID.Y': 'thread(w,lane,1)', 'SR_TID.Z': 'thread(w,lane,2)',
    'SR_CTAID.X': 'machine.group[0]', 'SR_CTAID.Y': 'machine.group[1]', 'SR_CTAID.Z': 'machine.group[2]',
    'SR_LANEID': '(uint32_t)lane', 'SR_EQMASK': '(1u<<lane)', 'SR_LTMASK': '((1u<<lane)-1)',
    'SR_LEMASK': '((2u<<lane)-1)', 'SR_GTMASK': '(~((2u<<lane)-1))', 'SR_GEMASK': '(~((1u<<lane)-1))',
}

HEXADECIMAL = r'-?0x[0-9a-f]+'
FLOAT = r'[+-]?(INF|QNAN|NAN|(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?)'
ZERO_REGISTERS = ('RZ', 'SRZ', 'URZ')


def split(text):
    """Operands between commas, but for commas inside of brackets."""
    operands, depth, current = [], 0, ''
    for character in text:
        depth += (character in '[(') - (character in '])')
        if character == ',' and depth == 0:
            operands.append(current)
            current = ''
        else:
            current += character
    return [clean(operand) for operand in operands + [current] if operand.strip()]


def clean(operand):
    return operand.replace('.reuse', '').strip()


def is_predicate(operand):
    return re.fullmatch(r'U?P[0-9T]', operand) is not None


def is_register(operand):
    return re.fullmatch(r'U?R(\d+|Z)', operand) is not None


def register_number(operand):
    """Number of a vector register, or None of the register of zeros."""
    if operand == 'RZ':
        return None
    match = re.fullmatch(r'R(\d+)(\.64)?', operand)
    if not match:
        raise Unknown(f'register {operand}')
    return int(match[1])


def predicate(operand):
    """A predicate's value in a lane."""
    negated, name = operand.startswith('!'), operand.lstrip('!')
    if name in ('PT', 'UPT'):
        value = '1u'
    elif re.fullmatch(r'P\d', name):
        value = f'((w.p[{name[1]}]>>lane)&1u)'
    elif re.fullmatch(r'UP\d', name):
        value = f'(w.up[{name[2]}]&1u)'
    else:
        raise Unknown(f'predicate {operand}')
    return f'(!{value})' if negated else f'({value})'


def bits(operand, upper=False, is_float=False):
    """The 32 bits of a source without modifiers; `upper` are those of the pair's second register."""
    operand = re.sub(r'\.(64|U32|F32)$', '', operand)
    if operand in ZERO_REGISTERS:
        return '0u'
    if match := re.fullmatch(r'R(\d+)', operand):
        return f'w.r[{int(match[1]) + upper}][lane]'
    if match := re.fullmatch(r'UR(\d+)', operand):
        return f'w.ur[{int(match[1]) + upper}]'
    if match := re.fullmatch(r'c\[0x([0-9a-f]+)\]\[(?:(U?R\d+|RZ)\+?)?(-?0x[0-9a-f]+)?\]', operand):
        base = bits(match[2]) if match[2] else '0u'
        return f'constant({int(match[1], 16)},{base}+{int(match[3] or "0", 16) + 4 * upper})'
    if is_float and re.fullmatch(FLOAT, operand):
        return f'0x{float_bits(operand):x}u'
    if re.fullmatch(HEXADECIMAL + r'|-?\d+', operand):
        value = int(operand, 0)
        return ('0xffffffffu' if value < 0 else '0u') if upper else f'0x{value & 0xffffffff:x}u'
    raise Unknown(f'source {operand}')


def float_bits(operand):
    sign = 0x80000000 if operand.startswith('-') else 0
    name = operand.lstrip('+-')
    special = {'INF': 0x7f800000, 'QNAN': 0x7fffffff, 'NAN': 0x7fffffff}
    if name in special:
        return special[name] | sign
    return struct.unpack('<I', struct.pack('<f', float(operand)))[0]


def is_number(operand):
    return re.fullmatch(HEXADECIMAL + r'|-?\d+', operand) is not None


def integer(operand, upper=False):
    """An integer source of 32 bits with its modifiers."""
    if is_number(operand):
        return bits(operand, upper)
    if operand.startswith('-'):
        return f'(0u-{integer(operand[1:])})'
    if operand.startswith('~'):
        return f'(~{bits(operand[1:], upper)})'
    if operand.startswith('|'):
        return f'absolute({bits(operand.strip("|"))})'
    if match := re.fullmatch(r'(.*)\.H([01])(?:_H[01])?', operand):
        return f'(({bits(match[1])}>>{16 * int(match[2])})&0xffffu)'
    if match := re.fullmatch(r'(.*)\.B([0-3])', operand):
        return f'(({bits(match[1])}>>{8 * int(match[2])})&0xffu)'
    return bits(operand, upper)


def integer64(operand):
    """An integer of a pair of registers."""
    if operand.startswith('-') and not is_number(operand):
        return f'(0ull-{integer64(operand[1:])})'
    return f'({bits(operand)}|((uint64_t){bits(operand, True)}<<32))'


def addend(operand):
    """A source of an addition whose carry counts, in 64 bits."""
    if operand.startswith('-') and not is_number(operand):
        return f'((uint64_t)(uint32_t)~{bits(operand[1:])}+1ull)'
    return f'(uint64_t){integer(operand)}'


def float32(operand):
    """A float's value with its modifiers."""
    if re.fullmatch(FLOAT, operand):
        return f'as_float({bits(operand, is_float=True)})'
    if operand.startswith('-'):
        return f'(-{float32(operand[1:])})'
    if operand.startswith('|'):
        return f'fabsf({float32(operand.strip("|"))})'
    return f'as_float({bits(operand)})'


def float32_bits(operand):
    """A float's bits with its modifiers, which change the sign alone."""
    if re.fullmatch(FLOAT, operand):
        return bits(operand, is_float=True)
    if operand.startswith('-'):
        return f'({float32_bits(operand[1:])}^0x80000000u)'
    if operand.startswith('|'):
        return f'({float32_bits(operand.strip("|"))}&0x7fffffffu)'
    return bits(operand, is_float=True)


def write(operand, value, offset=0):
    """Statement that writes a register, or the one `offset` behind it."""
    if operand in ZERO_REGISTERS:
        return f'(void)({value});'
    if match := re.fullmatch(r'R(\d+)(\.64)?', operand):
        return f'w.r[{int(match[1]) + offset}][lane]={value};'
    if match := re.fullmatch(r'UR(\d+)', operand):
        return f'w.ur[{int(match[1]) + offset}]={value};'
    raise Unknown(f'destination {operand}')


def write_pair(operand, value):
    """Statement that writes 64 bits."""
    return f'uint64_t pair={value};' + write(operand, '(uint32_t)pair') + write(operand, '(uint32_t)(pair>>32)', 1)


def write_predicate(operand, value):
    if operand in ('PT', 'UPT'):
        return f'(void)({value});'
    if re.fullmatch(r'P\d', operand):
        return f'set_bit(w.p[{operand[1]}],lane,{value});'
    if re.fullmatch(r'UP\d', operand):
        return f'w.up[{operand[2]}]={value};'
    raise Unknown(f'predicate {operand}')


def address(operand):
    """The sum that an operand such as [R2.64+UR4+0x10] or [R2.X4+0x8] stands for."""
    inner = re.fullmatch(r'\[(.*)\]', re.sub(r'^desc\[[^\]]*\]', '', operand))
    if not inner:
        raise Unknown(f'address {operand}')
    is_wide, terms = False, []
    for part in inner[1].replace('+-', '+~').split('+'):
        if match := re.fullmatch(r'~(0x[0-9a-f]+)|-(0x[0-9a-f]+)', part):
            terms.append(f'(uint64_t)-{match[1] or match[2]}LL')
        elif re.fullmatch(r'0x[0-9a-f]+', part):
            terms.append(f'{part}ull')
        elif part in ('RZ', 'URZ', 'RZ.64'):
            terms.append('0ull')
        elif match := re.fullmatch(r'R\d+\.64', part):
            is_wide = True
            terms.append(integer64(part))
        elif match := re.fullmatch(r'(R\d+)\.X(\d+)', part):
            terms.append(f'(uint64_t)({bits(match[1])}*{match[2]}u)')
        elif match := re.fullmatch(r'(R\d+)(\.U32)?', part):
            terms.append(f'(uint64_t){bits(match[1])}')
        elif match := re.fullmatch(r'(UR\d+)(\.64)?', part):
            terms.append(integer64(match[1]) if is_wide or match[2] else f'(uint64_t){bits(match[1])}')
        else:
            raise Unknown(f'address {operand}')
    total = '+'.join(terms)
    return f'({total})' if is_wide else f'(uint64_t)(uint32_t)({total})'
