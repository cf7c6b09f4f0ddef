"""What goes wrong is found: small kernels with a fault, in machine code as nvdisasm lists it. usage: tests.py SCRATCH"""

import sys
import unittest
from pathlib import Path

import numpy

from arguments import Launch, changes
from cases import exactly
from machine import Machine

# The thread's number and, in R2, the address of its element.
BEGIN = ['MOV R1, c[0x0][0x28]', 'S2R R0, SR_TID.X', 'MOV R5, 0x4', 'IMAD.WIDE.U32 R2, R0, R5, c[0x0][0x160]']
LOAD, STORE, EXIT = 'LDG.E R4, [R2.64]', 'STG.E [R2.64], R4', 'EXIT'


class Faults(unittest.TestCase):
    def run_code(self, *code, threads=64, shared=0, labels=()):
        """Counts and results of code over 64 numbers."""
        lines = ['\t.section\t.text.test,"ax",@progbits', '.text.test:']
        for number, instruction in enumerate([*BEGIN, *code]):
            lines += [f'.L_{name}:' for name, at in labels if at == number - len(BEGIN)]
            lines.append(f'        /*{16 * number:04x}*/                   {instruction} ;')
        folder = SCRATCH / self.id().split('.')[-1]
        folder.mkdir(exist_ok=True)
        numbers = changes(numpy.arange(64, dtype=numpy.uint32), 'x')
        launch = Launch((1, 1, 1), (threads, 1, 1), shared, [numbers], {})
        return MACHINE.run(folder, '\n'.join(lines), 'test', launch)

    def assert_fails(self, message, *code, **options):
        with self.assertRaisesRegex(RuntimeError, message):
            self.run_code(*code, **options)

    def test_results_are_right_and_counted(self):
        counts, results = self.run_code(LOAD, 'IADD3 R4, R4, 0x1, RZ', STORE, EXIT)
        self.assertIsNone(exactly('x', numpy.arange(1, 65, dtype=numpy.uint32))(results))
        computes, accesses = [2, 64, 0, 0, 0], [2, 64, 8, 0, 0]
        self.assertEqual(counts, 4 * [computes] + [accesses, computes, accesses, computes])

    def test_wrong_results_are_wrong(self):
        _, results = self.run_code(LOAD, 'IADD3 R4, R4, 0x2, RZ', STORE, EXIT)
        self.assertIn('the first, (0,), is 2 instead of 1', exactly('x', numpy.arange(1, 65, dtype=numpy.uint32))(results))

    def test_global_memory_has_bounds(self):
        self.assert_fails('out of bounds of global memory: 4 bytes .* by lane 0 of warp 2', LOAD, EXIT, threads=96)

    def test_shared_memory_has_bounds(self):
        self.assert_fails('out of bounds of shared memory: 4 bytes at 0x80, by lane 0 of warp 1',
                          'STS [R0.X4], R0', EXIT, shared=128)

    def test_accesses_are_aligned(self):
        self.assert_fails('not aligned in global memory', 'LDG.E.64 R4, [R2.64+0x4]', EXIT)

    def test_local_accesses_are_counted(self):
        counts, _ = self.run_code('STL [R1+-0x10], R0', 'IADD3 R6, P0, R1, c[0x0][0x20], RZ',
                                  'IADD3.X R7, RZ, c[0x0][0x24], RZ, P0, !PT', 'LD.E R4, [R6.64+-0x10]', STORE, EXIT)
        self.assertEqual([count[2:] for count in counts[len(BEGIN):-1]],
                         [[0, 0, 2], [0, 0, 0], [0, 0, 0], [0, 0, 2], [8, 0, 0]])

    def test_generic_accesses_reach_shared_memory(self):
        code = ['STS [R0.X4], R0', 'IMAD.SHL.U32 R6, R0, 0x4, RZ', 'IADD3 R6, P0, R6, c[0x0][0x18], RZ',
                'IADD3.X R7, RZ, c[0x0][0x1c], RZ, P0, !PT', 'LD.E R4, [R6.64+0x4]', STORE, EXIT]
        counts, results = self.run_code(*code, threads=32, shared=256)
        self.assertEqual(counts[len(BEGIN) + 4][2:], [0, 1, 0])
        self.assertIsNone(exactly('x', numpy.arange(1, 32, dtype=numpy.uint32))(results))
        self.assert_fails('out of bounds of shared memory', *code, threads=32, shared=128)

    def test_atomic_operations_on_64_bits(self):
        """Of lanes one after the other on 2**32, with low and high words."""
        cases = [('ADD', 1, 1, 33 << 32 | 32), ('MIN.S64', 0, 1 << 31, 1 << 63), ('MIN', 0, 1 << 31, 1 << 32), ('MAX.S64', 0, 1 << 31, 1 << 32),
                 ('MAX', 0, 1 << 31, 1 << 63), ('OR', 1, 2, 3 << 32 | 1), ('XOR', 1, 2, 1 << 32), ('AND', 1, 3, 1 << 32), ('EXCH', 7, 9, 9 << 32 | 7),
                 ('CAS', 0, 1, 6 << 32 | 5), ('CAS', 1, 1, 1 << 32)]
        for name, low, high, expected in cases:
            code = ['MOV R6, c[0x0][0x160]', 'MOV R7, c[0x0][0x164]', f'MOV R8, {low:#x}', f'MOV R9, {high:#x}', 'MOV R10, 0x5', 'MOV R11, 0x6',
                    f'ATOMG.E.{name}.64.STRONG.GPU PT, R4, [R6.64], R8{", R10" * (name == "CAS")}', 'ISETP.GE.U32.AND P0, PT, R0, 0x2, PT',
                    '@P0 STG.E [R2.64], R4', EXIT]
            counts, results = self.run_code(*code, threads=32)
            words = numpy.frombuffer(results['x'], numpy.uint32)
            self.assertEqual(words[:2].view(numpy.uint64)[0], expected, name)
            self.assertEqual(counts[len(BEGIN) + 6], [1, 32, 1, 0, 0])
            if name == 'ADD':
                self.assertEqual(list(words[2:32]), list(range(2, 32)))

    def test_passes_over_banks_are_counted(self):
        counts, _ = self.run_code('STS [R0.X4], R0', 'STS [R0.X8], R0', 'LDS R4, [RZ]', 'ATOMS.POPC.INC.32 RZ, [URZ]', EXIT,
                                  threads=32, shared=256)
        self.assertEqual([count[3] for count in counts[len(BEGIN):-1]], [1, 2, 1, 32])

    def test_copies_to_shared_memory_fill_with_zeros(self):
        code = ['ISETP.NE.AND P0, PT, R0, RZ, PT', 'LDGSTS.E [R0.X4], [R2.64], P0', 'LDS R4, [R0.X4]', STORE, EXIT]
        counts, results = self.run_code(*code, threads=32, shared=128)
        self.assertIsNone(exactly('x', numpy.arange(64, dtype=numpy.uint32))(results))
        self.assertEqual(counts[len(BEGIN) + 1], [1, 31, 4, 1, 0])

    def test_a_barrier_that_some_never_reach_is_found(self):
        code = ['ISETP.NE.AND P0, PT, R0, RZ, PT', '@P0 BAR.SYNC 0x0', '@!P0 BRA `(.L_wait)', EXIT]
        self.assert_fails('threads wait for each other', 'BSSY B0, `(.L_end)', *code, 'BSYNC B0', EXIT, threads=32,
                          labels=[('wait', 5), ('end', 6)])

    def test_a_barrier_tells_the_group_what_it_found(self):
        for kind, expected in [('OR', 1), ('AND', 0), ('POPC', 16)]:
            code = ['ISETP.LT.U32.AND P0, PT, R0, 0x10, PT', f'BAR.RED.{kind}.DEFER_BLOCKING 0x0, P0', 'B2R.RESULT R4, P1', STORE,
                    '@P1 EXIT', 'STG.E [R2.64], RZ', EXIT]
            _, results = self.run_code(*code)
            self.assertIsNone(exactly('x', numpy.full(64, expected, numpy.uint32))(results))

    def test_lanes_are_reduced(self):
        sums = [('SUM.S32', 496 + 32 * 0x7fffffff), ('MIN.S32', 0x80000000), ('MAX', 0x8000001e), ('OR', 0xffffffff), ('XOR', 0xffffffe0)]
        for name, expected in sums:
            code = ['IADD3 R4, R0, 0x7fffffff, RZ', f'REDUX.{name} UR4, R4', 'MOV R4, UR4', STORE, EXIT]
            _, results = self.run_code(*code, threads=32)
            self.assertEqual(numpy.frombuffer(results['x'], numpy.uint32)[0], expected % 2**32, name)

    def test_lanes_that_diverged_branch(self):
        code = ['BSSY B0, `(.L_end)', 'ISETP.LT.U32.AND P0, PT, R0, 0x10, PT', '@!P0 BRA `(.L_end)', 'MOV R4, 0xffff',
                'REDUX.OR UR4, R4', 'R2UR P2, URZ, R4', '@!P2 BRA.DIV UR4, `(.L_end)', STORE, 'BSYNC B0', EXIT]
        counts, _ = self.run_code(*code, threads=32, labels=[('end', 8)])
        self.assertEqual(counts[len(BEGIN) + 7][:2], [1, 16])
        code[3] = 'MOV R4, 0xfffe'
        counts, _ = self.run_code(*code, threads=32, labels=[('end', 8)])
        self.assertEqual(counts[len(BEGIN) + 7][:2], [0, 0])

    def test_uniform_instructions_have_guards(self):
        code = ['UMOV UR4, 0xa', 'UISETP.NE.U32.AND UP0, UPT, UR4, 0xa, UPT', '@UP0 UMOV UR4, 0xb', '@!UP0 UIADD3 UR4, UR4, 0x2, URZ',
                'MOV R4, UR4', STORE, EXIT]
        _, results = self.run_code(*code)
        self.assertIsNone(exactly('x', numpy.full(64, 0xc, numpy.uint32))(results))

    def test_uniform_predicates_are_kept_in_a_register(self):
        code = ['UMOV UR4, 0xa', 'UISETP.EQ.U32.AND UP1, UPT, UR4, 0xa, UPT', 'UISETP.NE.U32.AND UP0, UPT, UR4, 0xa, UPT',
                'UP2UR UR4, UPR, UR4, 0x3', 'MOV R4, UR4', STORE, EXIT]
        _, results = self.run_code(*code)
        self.assertIsNone(exactly('x', numpy.full(64, 0xa, numpy.uint32))(results))
        code[3] = 'UP2UR UR4, UPR, URZ, 0x2'
        _, results = self.run_code(*code)
        self.assertIsNone(exactly('x', numpy.full(64, 2, numpy.uint32))(results))

    def test_masks_have_a_place_and_a_width(self):
        code = ['BMSK R4, RZ, R0', STORE, EXIT]
        _, results = self.run_code(*code, threads=64)
        expected = numpy.array([2**min(i, 32) - 1 for i in range(64)], numpy.uint32)
        self.assertIsNone(exactly('x', expected)(results))

    def test_lanes_meet_again(self):
        code = ['ISETP.NE.AND P0, PT, R0, RZ, PT', 'BSSY B0, `(.L_end)', '@P0 BRA `(.L_end)', 'MOV R4, 0x7', 'BSYNC B0', EXIT]
        counts, _ = self.run_code(*code, threads=32, labels=[('end', 4)])
        self.assertEqual([count[:2] for count in counts[len(BEGIN):]],
                         [[1, 32], [1, 32], [1, 31], [1, 1], [1, 32], [1, 32]])

    def test_values_of_lanes_that_left_are_undefined(self):
        code = ['ISETP.NE.AND P0, PT, R0, RZ, PT', '@!P0 EXIT', 'SHFL.IDX PT, R4, R0, RZ, 0x1f', STORE, EXIT]
        _, results = self.run_code(*code, threads=32)
        self.assertEqual(numpy.frombuffer(results['x'], numpy.uint32)[1], 0xcdcdcdcd)

    def test_unknown_instructions_fail_where_they_are_executed(self):
        self.assert_fails('not translated: DMUL R4, R4, R4', 'DMUL R4, R4, R4', EXIT)
        self.run_code(EXIT, 'DMUL R4, R4, R4')


if __name__ == '__main__':
    SCRATCH = Path(sys.argv.pop(1))
    MACHINE = Machine(SCRATCH)
    unittest.main()
