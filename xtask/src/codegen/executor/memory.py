"""Instructions that access memory. Each gives its space and the bytes of a lane, for the counts."""

import re

from instructions import EACH_LANE, one_of
from operands import (Unknown, address, bits, integer, integer64, is_predicate, predicate, register_number, write,
                      write_pair)

SPACES = {
    'LDG': 'global', 'STG': 'global', 'ATOMG': 'global', 'RED': 'global', 'LD': 'generic', 'ST': 'generic',
    'ATOM': 'generic', 'LDS': 'shared', 'STS': 'shared', 'ATOMS': 'shared', 'LDL': 'local', 'STL': 'local',
    'LDGSTS': 'global', 'LDSM': 'shared', 'TEX': 'texture', 'SUST': 'texture',
}
WIDTHS = {'U8': 1, 'S8': 1, 'U16': 2, 'S16': 2, '64': 8, '128': 16}
UNSIGNED, SIGNED = {1: 'uint8_t', 2: 'uint16_t', 4: 'uint32_t'}, {1: 'int8_t', 2: 'int16_t', 4: 'uint32_t'}


def width(modifiers):
    return WIDTHS.get(one_of(modifiers, *WIDTHS), 4)


def translate(name, modifiers, operands):
    """Statements, the bytes of a lane, and the lanes that access if not all do; or None of another instruction.

    `addresses` gets each lane's.
    """
    if name in ('LDG', 'LD', 'LDS', 'LDL'):
        return load(name, modifiers, operands)
    if name in ('STG', 'ST', 'STS', 'STL'):
        return store(name, modifiers, operands)
    if name in ('ATOMG', 'ATOM', 'ATOMS', 'RED'):
        return atomic(name, modifiers, operands)
    others = {'LDGSTS': copy, 'LDSM': load_matrices, 'TEX': fetch, 'SUST': write_surface}
    return others[name](modifiers, operands) if name in others else None


def at(operand, space, size):
    """Statements after which `at` points to the lane's bytes."""
    return f'uint64_t a={address(operand)};addresses[lane]=a;char*at=machine.{space}_memory(a,{size},w,lane);'


def load(name, modifiers, operands):
    target, source = [operand for operand in operands if not is_predicate(operand)][:2]
    size = width(modifiers)
    code = at(source, SPACES[name], size)
    if size <= 4:
        kind = (SIGNED if one_of(modifiers, 'S8', 'S16') else UNSIGNED)[size]
        code += write(target, f'(uint32_t)*({kind}*)at')
    else:
        first = register_number(target)
        code += f'uint32_t v[{size // 4}];memcpy(v,at,{size});'
        code += ''.join(write(f'R{first + i}', f'v[{i}]') for i in range(size // 4))
    return f'{EACH_LANE}{{{code}}}', size


def store(name, modifiers, operands):
    target, source = operands[:2]
    size = width(modifiers)
    code = at(target, SPACES[name], size)
    if size <= 4:
        code += f'*({UNSIGNED[size]}*)at=({UNSIGNED[size]}){integer(source)};'
    else:
        first = register_number(source)
        values = [bits(f'R{first + i}') if first is not None else '0u' for i in range(size // 4)]
        code += f'uint32_t v[]={{{",".join(values)}}};memcpy(at,v,{size});'
    return f'{EACH_LANE}{{{code}}}', size


def atomic(name, modifiers, operands):
    if one_of(modifiers, 'F16', 'BF16', 'F64'):
        raise Unknown('an atomic operation of other numbers')
    is_wide = '64' in modifiers
    count = 64 if is_wide else 32
    operands = [operand for operand in operands if not is_predicate(operand)]
    target = 'RZ' if name == 'RED' else operands.pop(0)
    place, values = operands[0], [(integer64 if is_wide else integer)(operand) for operand in operands[1:]]
    kind = one_of(modifiers, 'POPC', 'ADD', 'MIN', 'MAX', 'AND', 'OR', 'XOR', 'EXCH', 'CAS', 'CAST')
    integers = f'int{count}_t' if one_of(modifiers, 'S32', 'S64') else f'uint{count}_t'
    if kind == 'ADD' and 'F32' in modifiers:
        new = f'as_bits(as_float(old)+as_float({values[0]}))'
    elif kind in ('MIN', 'MAX'):
        order = '<' if kind == 'MIN' else '>'
        new = f'(({integers})({values[0]}){order}({integers})old?{values[0]}:old)'
    elif kind in ('CAS', 'CAST'):
        new = f'(old=={values[0]}?{values[1]}:old)'
    elif kind in ('ADD', 'AND', 'OR', 'XOR'):
        new = f'old{ {"ADD": "+", "AND": "&", "OR": "|", "XOR": "^"}[kind]}{values[0]}'
    elif kind in ('EXCH', 'POPC'):
        new = values[0] if kind == 'EXCH' else 'old+1'
    else:
        raise Unknown('atomic operation')
    code = at(place, SPACES[name], count // 8) + f'uint{count}_t old=*(uint{count}_t*)at;*(uint{count}_t*)at={new};'
    code += write_pair(target, 'old') if is_wide else write(target, 'old')
    return f'{EACH_LANE}{{{code}}}', -count // 8  # less than none: lanes on one word take turns


def copy(modifiers, operands):
    """From global to shared memory; zeros where a predicate is false. It is done at once: waits for it are not checked."""
    target, source = operands[:2]
    size = width(modifiers)
    reads = predicate(operands[2]) if len(operands) > 2 else '1u'
    code = f'uint64_t to={address(target)};targets[lane]=to;char*into=machine.shared_memory(to,{size},w,lane);'
    code += f'if({reads}){{read|=1u<<lane;{at(source, "global", size)}memcpy(into,at,{size});}}else memset(into,0,{size});'
    code = f'uint64_t targets[32];uint32_t read=0;{EACH_LANE}{{{code}}}w.count_shared(pc,x,targets,{size});'
    return code, size, 'read'


def load_matrices(modifiers, operands):
    """Of each matrix of 8 rows of 16 bytes eight lanes have the rows' addresses."""
    if modifiers[-1] != '4' or one_of(modifiers, 'M88', 'MT88') is None:
        raise Unknown('LDSM of another shape')
    first, is_transposed = register_number(operands[0]), 'MT88' in modifiers
    code = at(operands[1], 'shared', 16) + 'rows[lane]=(uint16_t*)at;'
    code = f'uint16_t*rows[32];if(x!=~0u)fail("LDSM of some lanes");{EACH_LANE}{{{code}}}'
    for matrix in range(4):
        row, col = ('lane%4*2+i', 'lane/4') if is_transposed else ('lane/4', 'lane%4*2+i')
        both = f'uint32_t v=0;for(int i=0;i<2;i++)v|=(uint32_t)rows[{8 * matrix}+{row}][{col}]<<16*i;'
        code += f'{EACH_LANE}{{{both}{write(f"R{first + matrix}", "v")}}}'
    return code, 16


def fetch(modifiers, operands):
    """A texel of four bytes from 0 to 1; the first operand gets what doesn't fit into the pair of the second."""
    high, low, at, _, bank, word, dimension = operands[:7]
    mask = int(operands[7], 16) if len(operands) > 7 else 15
    if dimension != '2D' or one_of(modifiers, 'LL', 'LZ') is None:
        raise Unknown('TEX of another shape')
    x, y = (f'as_float({bits(f"R{register_number(at) + i}")})' for i in range(2))
    code = f'float v[4];addresses[lane]=machine.texel(constant({int(bank, 16)},{4 * int(word, 16)}),{x},{y},v);'
    for place, component in enumerate(i for i in range(4) if mask >> i & 1):
        base = register_number(low if place < 2 else high)
        if base is not None:
            code += write(f'R{base + place % 2}', f'as_bits(v[{component}])')
    return f'{EACH_LANE}{{{code}}}', 4


def write_surface(modifiers, operands):
    """Four bytes, whose column is given in bytes."""
    place, value, bank, word = operands[:4]
    if '2D' not in modifiers or 'BA' not in modifiers or width(modifiers) != 4:
        raise Unknown('SUST of another shape')
    first = register_number(re.fullmatch(r'\[(R\d+)\]', place)[1])
    x, y = bits(f'R{first}'), bits(f'R{first + 1}')
    surface = f'constant({int(bank, 16)},{4 * int(word, 16)})'
    return f'{EACH_LANE}{{addresses[lane]=machine.write_texel({surface},{x},{y},{bits(value)});}}', 4
