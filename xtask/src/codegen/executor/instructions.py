"""What machine instructions do, as C++. `OPCODES` has those that compute; `memory.py` and `control.py` add theirs.

A function is given the modifiers and the operands, and returns statements. Those of `LANES` are executed for each lane of the
mask `x`, those of `UNIFORM` once for the warp, those of `WARP` once and see all lanes.
"""

import re
from enum import Enum

from operands import (FLOAT_COMPARISONS, INTEGER_COMPARISONS, JOINS, SPECIAL_REGISTERS, Unknown, addend, float32,
                      float32_bits, integer, integer64, is_predicate, is_register, predicate, write, write_pair,
                      write_predicate)

LANES, UNIFORM, WARP = Enum('Scope', ['LANES', 'UNIFORM', 'WARP'])
EACH_LANE = 'for(int lane=0;lane<32;lane++)if(x>>lane&1)'

OPCODES = {}


def opcode(*names, scope=LANES, has_uniform=False):
    """Registers a function for opcodes; with `has_uniform` also for those of uniform registers, which begin with a U."""
    def register(function):
        for name in names:
            OPCODES[name] = (scope, function)
            if has_uniform:
                OPCODES['U' + name] = (UNIFORM, function)
        return function
    return register


def one_of(modifiers, *names):
    return next((name for name in modifiers if name in names), None)


def leading_predicates(operands):
    """Takes the predicates in front, which are written."""
    taken = []
    while operands and is_predicate(operands[0]):
        taken.append(operands.pop(0))
    return taken


@opcode('NOP', 'ERRBAR', 'MEMBAR', 'CCTL', 'DEPBAR', 'YIELD', 'NANOSLEEP', 'LDGDEPBAR', 'PREEXIT', 'BMOV', 'WARPSYNC')
def nothing(modifiers, operands):
    return ''


# Moves and selections.

@opcode('MOV', has_uniform=True)
def move(modifiers, operands):
    return write(operands[0], integer(operands[1]))


@opcode('LDC', has_uniform=True)
def load_constant(modifiers, operands):
    if '64' in modifiers:
        return write_pair(operands[0], integer64(operands[1]))
    return write(operands[0], integer(operands[1]))


@opcode('S2R')
def special_register(modifiers, operands):
    return write(operands[0], SPECIAL_REGISTERS[operands[1]])


@opcode('S2UR', scope=UNIFORM)
def uniform_special_register(modifiers, operands):
    return write(operands[0], SPECIAL_REGISTERS[operands[1]])


@opcode('CS2R')
def zeros(modifiers, operands):
    if operands[1] != 'SRZ':
        raise Unknown(operands[1])
    return write(operands[0], '0u') + ('' if '32' in modifiers else write(operands[0], '0u', 1))


@opcode('R2UR', scope=WARP)
def to_uniform_register(modifiers, operands):
    """A predicate in front says which lanes have another value."""
    operands = operands[:]
    differ = leading_predicates(operands)
    target, source = operands
    code = f'uint32_t first;{{const int lane=__builtin_ctz(x?x:1);first={integer(source)};{write(target, "first")}}}(void)first;'
    return code + ''.join(f'{EACH_LANE}{{{write_predicate(p, f"({integer(source)}!=first)")}}}' for p in differ)


@opcode('B2R')
def barrier_result(modifiers, operands):
    """What the group's last barrier with a vote found."""
    if modifiers != ['RESULT']:
        raise Unknown('B2R.' + '.'.join(modifiers))
    target, *found = operands
    return write(target, 'machine.found') + ''.join(write_predicate(p, 'machine.found!=0') for p in found)


@opcode('SEL', has_uniform=True)
def select(modifiers, operands):
    target, a, b, condition = operands
    return write(target, f'({predicate(condition)}?{integer(a)}:{integer(b)})')


@opcode('FSEL')
def select_float(modifiers, operands):
    target, a, b, condition = operands
    return write(target, f'({predicate(condition)}?{float32_bits(a)}:{float32_bits(b)})')


@opcode('PRMT', has_uniform=True)
def permute(modifiers, operands):
    target, a, selector, b = operands
    return write(target, f'permute({integer(a)},{integer(selector)},{integer(b)})')


@opcode('P2R')
def predicates_to_register(modifiers, operands):
    target, _, source, mask = operands
    mask = int(mask, 16)
    gathered = '|'.join(f'((w.p[{i}]>>lane)&1u)<<{i}' for i in range(7) if mask >> i & 1) or '0u'
    return write(target, f'(({integer(source)}&~{mask}u)|{gathered})')


@opcode('UP2UR', scope=UNIFORM)
def uniform_predicates_to_register(modifiers, operands):
    target, _, source, mask = operands
    mask = int(mask, 16)
    gathered = '|'.join(f'(w.up[{i}]&1u)<<{i}' for i in range(7) if mask >> i & 1) or '0u'
    return write(target, f'(({integer(source)}&~{mask}u)|{gathered})')


@opcode('R2P')
def register_to_predicates(modifiers, operands):
    _, source, mask = operands
    mask = int(mask, 16)
    taken = ''.join(f'set_bit(w.p[{i}],lane,(v>>{i})&1u);' for i in range(7) if mask >> i & 1)
    return f'uint32_t v={integer(source)};' + taken


# Integers.

@opcode('IMAD', has_uniform=True)
def multiply_add(modifiers, operands):
    operands = operands[:]
    target = operands.pop(0)
    carries = leading_predicates(operands)
    a, b, c = operands[:3]
    carry = predicate(operands[3]) if 'X' in modifiers and len(operands) > 3 else '0u'
    if 'WIDE' in modifiers or 'HI' in modifiers:
        if 'U32' in modifiers:
            product = f'(uint64_t){integer(a)}*(uint64_t){integer(b)}'
        else:
            product = f'(uint64_t)((int64_t)(int32_t){integer(a)}*(int64_t)(int32_t){integer(b)})'
        code = f'uint64_t product={product},sum=product+{integer64(c)}+{carry};uint32_t k=sum<product;(void)k;'
        code += write_pair(target, 'sum') if 'WIDE' in modifiers else write(target, '(uint32_t)(sum>>32)')
    else:
        product = f'(uint64_t)(uint32_t)({integer(a)}*{integer(b)})'
        code = f'uint64_t sum={product}+{integer(c)}+{carry};uint32_t k=(uint32_t)(sum>>32);(void)k;'
        code += write(target, '(uint32_t)sum')
    return code + ''.join(write_predicate(carry, 'k') for carry in carries)


@opcode('IADD3', has_uniform=True)
def add3(modifiers, operands):
    operands = operands[:]
    target = operands.pop(0)
    carries = leading_predicates(operands)
    terms = [addend(operand) for operand in operands[:3]]
    if 'X' in modifiers:
        terms += [predicate(operand) for operand in operands[3:]]
    code = f'uint64_t sum={"+".join(terms)};uint32_t k=(uint32_t)(sum>>32);(void)k;' + write(target, '(uint32_t)sum')
    return code + ''.join(write_predicate(carry, f'k>={i + 1}') for i, carry in enumerate(carries))


@opcode('LEA', has_uniform=True)
def shift_add(modifiers, operands):
    operands = operands[:]
    target = operands.pop(0)
    carries = leading_predicates(operands)
    if 'HI' in modifiers:
        if 'SX32' in modifiers:
            a, b, shift = operands[:3]
            upper, rest = f'(uint32_t)((int32_t){integer(a)}>>31)', operands[3:]
        else:
            a, b, upper, shift = operands[:4]
            upper, rest = integer(upper), operands[4:]
        carry = predicate(rest[0]) if 'X' in modifiers and rest else '0u'
        wide = f'({integer(a)}|((uint64_t){upper}<<32))'
        code = f'uint64_t sum=(uint64_t)(uint32_t)(({wide}<<{int(shift, 16)})>>32)+{integer(b)}+{carry};'
    else:
        a, b, shift = operands[:3]
        code = f'uint64_t sum=(uint64_t)(uint32_t)({integer(a)}<<{int(shift, 16)})+{integer(b)};'
    code += write(target, '(uint32_t)sum')
    return code + ''.join(write_predicate(carry, '(uint32_t)(sum>>32)') for carry in carries)


@opcode('LOP3', has_uniform=True)
def logic3(modifiers, operands):
    operands = operands[:]
    predicates = leading_predicates(operands)
    target, a, b, c, table = operands[:5]
    code = f'uint32_t result=logic3<{int(table, 16)}>({integer(a)},{integer(b)},{integer(c)});' + write(target, 'result')
    if predicates:
        other, join = predicate(operands[5]), '&&' if 'PAND' in modifiers else '||'
        code += write_predicate(predicates[0], f'(result!=0){join}{other}')
    return code


@opcode('PLOP3', has_uniform=True)
def predicate_logic3(modifiers, operands):
    first, second, a, b, c, table, second_table = operands
    code = f'uint32_t i=({predicate(a)}<<2)|({predicate(b)}<<1)|{predicate(c)};'
    code += write_predicate(first, f'(({int(table, 16)}u>>i)&1)')
    return code + write_predicate(second, f'(({int(second_table, 16)}u>>i)&1)')


@opcode('ISETP', has_uniform=True)
def compare_integers(modifiers, operands):
    comparison, join = modifiers[0], JOINS[one_of(modifiers[1:], *JOINS)]
    first, second, a, b, other = operands[:5]
    if comparison in ('T', 'F'):
        result = 'true' if comparison == 'T' else 'false'
    else:
        result = f'(a{INTEGER_COMPARISONS[comparison]}b)'
        if 'EX' in modifiers:
            lower = predicate(operands[5])
            strict = {'GE': '>', 'GT': '>', 'LE': '<', 'LT': '<'}.get(comparison)
            if strict:
                result = f'(a{strict}b||(a==b&&{lower}))'
            else:
                result = f'(a!=b||{lower})' if comparison == 'NE' else f'(a==b&&{lower})'
    kind = 'uint32_t' if 'U32' in modifiers else 'int32_t'
    code = f'{kind} a=({kind}){integer(a)},b=({kind}){integer(b)};bool is={result},other={predicate(other)};'
    return code + write_predicate(first, f'(is{join}other)') + write_predicate(second, f'(!is{join}other)')


@opcode('IMNMX')
def integer_minimum(modifiers, operands):
    target, a, b, is_minimum = operands
    kind = 'uint32_t' if 'U32' in modifiers else 'int32_t'
    code = f'{kind} a=({kind}){integer(a)},b=({kind}){integer(b)};'
    return code + write(target, f'(uint32_t)({predicate(is_minimum)}?(a<b?a:b):(a>b?a:b))')


@opcode('SHF', has_uniform=True)
def funnel_shift(modifiers, operands):
    target, low, count, high = operands
    low, count, high = integer(low), integer(count), integer(high)
    is_signed = 'S32' in modifiers or 'S64' in modifiers
    narrow = f'{count}&31' if 'W' in modifiers else count
    if 'U64' in modifiers or 'S64' in modifiers:
        name = 'shift_left64' if modifiers[0] == 'L' else 'shift_right64_signed' if is_signed else 'shift_right64'
        value = f'{name}({low},{high},{count})'
        value = f'(uint32_t)({value}>>32)' if 'HI' in modifiers else f'(uint32_t){value}'
    elif modifiers[0] == 'L':
        value = f'(uint32_t)(shift_left64({low},{high},{narrow})>>32)' if 'HI' in modifiers else f'shift_left({low},{narrow})'
    elif 'HI' in modifiers:
        value = f'{"shift_right_signed" if is_signed else "shift_right"}({high},{narrow})'
    else:
        value = f'(uint32_t)shift_right64({low},{high},{count}&{31 if "W" in modifiers else 63})'
    return write(target, value)


@opcode('IABS')
def absolute(modifiers, operands):
    return write(operands[0], f'absolute({integer(operands[1])})')


@opcode('POPC', has_uniform=True)
def count_ones(modifiers, operands):
    return write(operands[0], f'(uint32_t)__builtin_popcount({integer(operands[1])})')


@opcode('BREV', has_uniform=True)
def reverse_bits(modifiers, operands):
    return write(operands[0], f'reversed({integer(operands[1])})')


@opcode('FLO', has_uniform=True)
def leading_one(modifiers, operands):
    operands = [operand for operand in operands if not is_predicate(operand)]
    place = '__builtin_clz(v)' if 'SH' in modifiers else '31-__builtin_clz(v)'
    return f'uint32_t v={integer(operands[1])};' + write(operands[0], f'(v?{place}:0xffffffffu)')


@opcode('BMSK', has_uniform=True)
def bit_mask(modifiers, operands):
    target, place, width = operands
    code = f'uint32_t n={integer(width)},mask=n>=32?~0u:(1u<<n)-1;'
    return code + write(target, f'shift_left(mask,{integer(place)})')


@opcode('SGXT', has_uniform=True)
def sign_extend(modifiers, operands):
    target, value, width = operands
    extended = '(v&((1u<<n)-1))' if 'U32' in modifiers else '(uint32_t)((int32_t)(v<<(32-n))>>(32-n))'
    code = f'uint32_t n={integer(width)},v={integer(value)};'
    return code + write(target, f'(n>=32?v:n==0?0u:{extended})')


# Floats.

@opcode('FADD', 'FMUL', 'FFMA')
def arithmetic(name, modifiers, operands):
    a, b, c = ([float32(operand) for operand in operands[1:]] + [None])[:3]
    if name == 'FADD':
        a, b, c, value = a, '1.0f', b, f'{a}+{b}'
    elif name == 'FMUL':
        c, value = '-0.0f', f'{a}*{b}'
    else:
        value = f'fmaf({a},{b},{c})'
    if rounding := one_of(modifiers, 'RM', 'RP', 'RZ'):
        value = f'rounded_fma({a},{b},{c},{ROUNDINGS[rounding]})'
    if 'SAT' in modifiers:
        value = f'saturated({value})'
    if 'FTZ' in modifiers:
        value = f'flushed({value})'
    return write(operands[0], f'as_bits({value})')


ROUNDINGS = {'RM': 'FE_DOWNWARD', 'RP': 'FE_UPWARD', 'RZ': 'FE_TOWARDZERO'}
TO_INTEGERS = {'TRUNC': 'truncf', 'FLOOR': 'floorf', 'CEIL': 'ceilf', None: 'rintf'}


@opcode('FSETP')
def compare_floats(modifiers, operands):
    first, second, a, b, other = operands
    join = JOINS[one_of(modifiers[1:], *JOINS)]
    code = f'float a={float32(a)},b={float32(b)};'
    code += f'bool is={FLOAT_COMPARISONS[modifiers[0]]},other={predicate(other)};'
    return code + write_predicate(first, f'(is{join}other)') + write_predicate(second, f'(!is{join}other)')


@opcode('FMNMX')
def float_minimum(modifiers, operands):
    target, a, b, is_minimum = operands
    value = f'({predicate(is_minimum)}?fminf(a,b):fmaxf(a,b))'
    if 'NAN' in modifiers:
        value = f'(a!=a||b!=b?as_float(0x7fffffffu):{value})'
    return f'float a={float32(a)},b={float32(b)};' + write(target, f'as_bits({value})')


@opcode('FCHK')
def check_division(modifiers, operands):
    return write_predicate(operands[0], f'needs_slow_division({float32(operands[1])},{float32(operands[2])})')


@opcode('MUFU')
def special_function(modifiers, operands):
    name = modifiers[0].lower()
    if name not in ('rcp', 'rsq', 'sqrt', 'ex2', 'lg2', 'sin', 'cos'):
        raise Unknown(f'MUFU.{modifiers[0]}')
    return write(operands[0], f'as_bits(special_{name}({float32(operands[1])}))')


@opcode('I2F', 'I2FP')
def float_from_integer(modifiers, operands):
    if one_of(modifiers, 'F64', 'F16'):
        raise Unknown('I2F of another float')
    source = operands[1]
    sources = {
        'U64': lambda: integer64(source), 'S64': lambda: f'(int64_t){integer64(source)}',
        'U32': lambda: integer(source), 'U16': lambda: f'({integer(source)}&0xffffu)',
        'U8': lambda: f'({integer(source)}&0xffu)', 'S16': lambda: f'(int32_t)(int16_t){integer(source)}',
        'S8': lambda: f'(int32_t)(int8_t){integer(source)}', None: lambda: f'(int32_t){integer(source)}',
    }
    value = sources[one_of(modifiers, *(name for name in sources if name))]()
    rounding = one_of(modifiers, *ROUNDINGS)
    value = f'rounded_float({value},{ROUNDINGS[rounding]})' if rounding else f'(float)({value})'
    return write(operands[0], f'as_bits({value})')


@opcode('F2I')
def integer_from_float(modifiers, operands):
    if one_of(modifiers, 'S64', 'F64', 'F16'):
        raise Unknown('F2I of other numbers')
    value = f'{TO_INTEGERS[one_of(modifiers, "TRUNC", "FLOOR", "CEIL")]}({float32(operands[1])})'
    if 'U64' in modifiers:
        return write_pair(operands[0], f'to_unsigned64({value})')
    limits = {'U8': '0xffu', 'U16': '0xffffu', 'U32': '0xffffffffu'}
    if limit := limits.get(one_of(modifiers, *limits)):
        return write(operands[0], f'to_unsigned({value},{limit})')
    return write(operands[0], f'to_signed({value})')


@opcode('FRND')
def round_float(modifiers, operands):
    value = f'{TO_INTEGERS[one_of(modifiers, "TRUNC", "FLOOR", "CEIL")]}({float32(operands[1])})'
    return write(operands[0], f'as_bits({value})')


# Lanes together, and matrices.

@opcode('SHFL', scope=WARP)
def shuffle(modifiers, operands):
    ok, target, source, lane, limits = operands
    mode = ['IDX', 'UP', 'DOWN', 'BFLY'].index(modifiers[0])
    value = f'x>>lane&1?{integer(source)}:UNDEFINED'  # what a lane that isn't there has, must not matter
    code = f'uint32_t sources[32];for(int lane=0;lane<32;lane++)sources[lane]={value};{EACH_LANE}{{'
    code += f'bool ok;int from=shuffle_source<{mode}>(lane,{integer(lane)},{integer(limits)},ok);'
    return code + write(target, 'sources[from]') + write_predicate(ok, 'ok') + '}'


@opcode('VOTE', scope=WARP)
def vote(modifiers, operands, is_uniform=False):
    operands = operands[:]
    target = operands.pop(0) if is_register(operands[0]) else None
    all_of = {'ANY': 'b!=0', 'ALL': 'b==x', 'EQ': '(b==0||b==x)'}[one_of(modifiers, 'ANY', 'ALL', 'EQ')]
    code = f'uint32_t b=0;{EACH_LANE}b|=(uint32_t){predicate(operands[1])}<<lane;'
    result = (write(target, 'b') if target else '') + write_predicate(operands[0], all_of)
    return code + (f'{{const int lane=0;(void)lane;{result}}}' if is_uniform else f'{EACH_LANE}{{{result}}}')


@opcode('VOTEU', scope=WARP)
def uniform_vote(modifiers, operands):
    return vote(modifiers, operands, is_uniform=True)


@opcode('REDUX', scope=WARP)
def reduce_lanes(modifiers, operands):
    """One value of all lanes, in a uniform register."""
    target, source = operands
    integers = 'int32_t' if 'S32' in modifiers else 'uint32_t'
    name = one_of(modifiers, 'SUM', 'MIN', 'MAX', 'OR', 'XOR') or 'AND'
    joined = {'SUM': 'v+b', 'MIN': f'({integers})v<({integers})b?v:b', 'MAX': f'({integers})v>({integers})b?v:b',
              'AND': 'v&b', 'OR': 'v|b', 'XOR': 'v^b'}[name]
    code = f'uint32_t v=0;bool is_first=true;{EACH_LANE}{{uint32_t b={integer(source)};v=is_first?b:({joined});is_first=false;}}'
    return code + f'{{const int lane=0;(void)lane;{write(target, "v")}}}'


@opcode('HMMA', scope=WARP)
def multiply_matrices(modifiers, operands):
    if modifiers != ['16816', 'F32']:
        raise Unknown('HMMA of other numbers')
    d, a, b, c = (re.fullmatch(r'R(\d+|Z)', operand)[1] for operand in operands)
    rows = lambda number: 'nullptr' if number == 'Z' else f'w.r+{number}'
    return f'multiply_16x8x16({rows(d)},{rows(a)},{rows(b)},{rows(c)});'
