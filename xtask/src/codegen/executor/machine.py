"""Machine code translated, compiled and run."""

from pathlib import Path

from arguments import write_launch
from cubin import call
from translate import translate

HERE = Path(__file__).parent
COMPILE = ['g++', '-std=c++17', '-march=native', '-ffp-contract=off', '-frounding-math', f'-I{HERE}']


class Machine:
    def __init__(self, scratch):
        self.main = scratch / 'main.o'
        call(*COMPILE, '-O2', '-c', '-o', self.main, HERE / 'main.cc')

    def run(self, folder, listing, kernel, launch):
        """The counts of each instruction of a kernel, and the results by their names. A failure says what went wrong."""
        return self.execute(self.compile(folder / 'kernel', listing, kernel), folder, launch)

    def compile(self, program, listing, kernel):
        """A program that runs a kernel's launches."""
        source = program.with_suffix('.cc')
        source.write_text(translate(listing, kernel))
        call(*COMPILE, '-O1', '-o', program, source, self.main)
        return program

    def execute(self, program, folder, launch):
        """As `run` does."""
        counts = folder / 'counts.txt'
        call(program, write_launch(folder, launch), counts)
        counts = [list(map(int, line.split())) for line in counts.read_text().splitlines()]
        return counts, {path.stem: path.read_bytes() for path in folder.glob('*.result')}
