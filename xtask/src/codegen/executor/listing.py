"""The machine code of one kernel, in a listing of `nvdisasm -c`."""

import re


def read(listing, kernel):
    """The kernel's instructions in order, and the index to which each label leads."""
    instructions, labels = [], {}
    for line in lines(listing, kernel):
        if match := re.match(r'([.$\w]+):$', line):
            labels[match[1]] = len(instructions)
        elif match := re.match(r'/\*([0-9a-f]+)\*/\s+(.*?)\s*(?:\(\*.*?\*\)\s*)?;', line):
            if int(match[1], 16) != 16 * len(instructions):
                raise ValueError(f'{kernel} has an instruction that is not of 16 bytes')
            instructions.append(match[2])
    if not instructions:
        raise ValueError(f'there is no machine code of {kernel}')
    return instructions, labels


def lines(listing, kernel):
    """Lines of the kernel's section, without spaces around them."""
    is_inside = False
    for line in map(str.strip, listing.splitlines()):
        if re.match(r'\.section\s', line):
            is_inside = re.match(rf'\.section\s+\.text\.{re.escape(kernel)},', line) is not None
        elif is_inside:
            yield line


def with_counts(listing, kernel, counts):
    """Lines of the instructions that were executed: how often, by how many lanes, their sectors, passes and local accesses."""
    yield f'{"executed":>9} {"lanes":>5} {"sectors":>8} {"passes":>8} {"local":>6}'
    number = 0
    for line in lines(listing, kernel):
        if line.startswith('/*'):
            executed, lanes, sectors, passes, local = counts[number]
            number += 1
            if executed:
                blank = lambda count: count or ''
                yield (f'{executed:>9} {lanes / executed:>5.1f} {blank(sectors):>8} {blank(passes):>8} '
                       f'{blank(local):>6}  {" ".join(line.split())}')
        elif line.endswith(':') and not line.startswith('.text'):
            yield f'{"":>41}{line}'
