"""What all peers in Python have in common: they answer requests, one line of JSON each, on standard input and output.

A peer gives `serve` its version, and `prepare(subject, arrays, scalars, size)`, which returns the call to time and a function
that gives the arrays back, or None where it has no such subject. It imports this module first.
"""

import json
import os
import sys
import time

import numpy

# What libraries print, already when they are imported, goes elsewhere.
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def aligned(array):
    """A copy that begins where a cache line does, as everybody's arrays do."""
    room = numpy.empty(array.nbytes + 64, numpy.uint8)
    first = -room.ctypes.data % 64
    copy = room[first : first + array.nbytes].view(array.dtype)
    copy[:] = array
    return copy


class Peer:
    def __init__(self, version, prepare):
        self.version = version
        self.prepare = prepare

    def answer(self, request):
        return getattr(self, "answer_" + request.pop("ask"))(**request)

    def answer_version(self):
        return self.version

    def answer_prepare(self, subject, size, launches, arrays, results, scalars):
        arrays = [aligned(numpy.fromfile(array["path"], dtype=array["type"])) for array in arrays]
        prepared = self.prepare(subject, arrays, scalars, size)
        if prepared is None:
            return False
        # Compiles, and computes the results.
        self.call, self.back = prepared
        self.launches = launches
        self.call()
        self.results = self.back()[len(arrays) - results :] if results else []
        self.results = [result.copy() for result in self.results]
        return True

    def answer_result(self, path):
        with open(path, "wb") as file:
            for result in self.results:
                result.tofile(file)

    def answer_time(self, calls):
        call, turns = self.call, range(calls * self.launches)
        start = time.perf_counter_ns()
        for _ in turns:
            call()
        return (time.perf_counter_ns() - start) / calls


def serve(version, prepare):
    peer = Peer(version, prepare)
    for line in sys.stdin:
        try:
            answer = {"value": peer.answer(json.loads(line))}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=ANSWERS, flush=True)
