"""The driver API as far as our own runners need it, and the file of outcomes that they write."""

import ctypes
import json


class Refused(Exception):
    """A call that answered an error."""


class Driver:
    """The driver that the process finds, with a context on its first device."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        self.context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), 0)
        self.call("cuCtxSetCurrent", self.context)

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code:
            text = ctypes.c_char_p()
            self.library.cuGetErrorName(code, ctypes.byref(text))
            raise Refused(f"{name}: {(text.value or str(code).encode()).decode()}")

    def reset(self):
        """Frees everything, and ends an error that stays."""
        self.call("cuDevicePrimaryCtxReset_v2", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), 0)
        self.call("cuCtxSetCurrent", self.context)

    def load(self, image):
        """A module of PTX; the driver's log is in the error."""
        log = ctypes.create_string_buffer(4096)
        options = (ctypes.c_int * 2)(5, 6)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        module = ctypes.c_void_p()
        try:
            self.call("cuModuleLoadDataEx", ctypes.byref(module), image, 2, options, values)
        except Refused as error:
            raise Refused(log.value.decode() or str(error)) from None
        return module

    def function(self, module, name):
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def memory(self, size):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address

    def write(self, address, data):
        self.call("cuMemcpyHtoD_v2", address, bytes(data), ctypes.c_size_t(len(data)))

    def read(self, address, size):
        data = ctypes.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", data, address, ctypes.c_size_t(size))
        return data.raw

    def launch(self, function, groups, threads, *arguments):
        pointers = (ctypes.c_void_p * max(len(arguments), 1))()
        for index, argument in enumerate(arguments):
            pointers[index] = ctypes.addressof(argument)
        self.call("cuLaunchKernel", function, groups, 1, 1, threads, 1, 1, 0, None, pointers, None)
        self.call("cuCtxSynchronize")


class Outcomes:
    """Writes a line when a test begins and one when it ended, so that a crash says where it was."""

    def __init__(self, path):
        try:
            with open(path) as lines:
                self.done = {json.loads(line)["test"] for line in lines}
        except FileNotFoundError:
            self.done = set()
        self.file = open(path, "a")

    def write(self, test, outcome, why=""):
        self.file.write(json.dumps({"test": test, "outcome": outcome, "why": why}) + "\n")
        self.file.flush()

    def run(self, test, function):
        """Runs a test, unless an earlier start did. What it raises is why it failed."""
        if test in self.done:
            return
        self.write(test, "started")
        try:
            function()
        except Exception as error:
            self.write(test, "failed", f"{type(error).__name__}: {error}")
        else:
            self.write(test, "passed")

    def end(self):
        self.write("(module)", "ended")
