"""Runs one module of a suite of pytest's and writes each test's outcome to a file, one JSON object a line.

A line is written before each test and after it, so that a crash or an end from outside says which test it was. Tests that the
file already has are left out: called again after a crash, or after an error that stays, the rest of the module runs.

    python3 module.py OUTCOMES MODULE
"""

import json
import os
import sys

import pytest

# Outcomes by how bad they are. A test with several reports (set-up, call, tear-down, subtests) has the worst.
RANK = {"passed": 0, "expected": 1, "skipped": 2, "failed": 3}

# Errors after which a context is of no more use.
STAYS = ("CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_LAUNCH_FAILED", "CUDA_ERROR_ASSERT", "CUDA_ERROR_LAUNCH_TIMEOUT")
# The exit code that asks for another start, for the rest of the module.
AGAIN = 75


class Record:
    def __init__(self, path):
        self.worst = {}
        self.done = set()
        if os.path.exists(path):
            with open(path) as lines:
                self.done = {json.loads(line)["test"] for line in lines}
        self.file = open(path, "a")

    def write(self, **row):
        self.file.write(json.dumps(row) + "\n")
        self.file.flush()

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if short(item.nodeid) not in self.done]

    def pytest_collectreport(self, report):
        if report.failed:
            self.write(test=short(report.nodeid) or "(module)", outcome="failed", why=reason(report))
        elif report.skipped:
            self.write(test="(module)", outcome="skipped", why=reason(report))

    def pytest_runtest_logstart(self, nodeid):
        self.write(test=short(nodeid), outcome="started")

    def pytest_runtest_logreport(self, report):
        outcome = report.outcome
        if outcome == "skipped" and hasattr(report, "wasxfail"):
            outcome = "expected"
        name = short(report.nodeid)
        known = self.worst.get(name)
        if known is None or RANK[outcome] > RANK[known[0]]:
            self.worst[name] = (outcome, "" if outcome == "passed" else reason(report))

    def pytest_runtest_logfinish(self, nodeid):
        name = short(nodeid)
        outcome, why = self.worst.get(name, ("failed", "no report"))
        self.write(test=name, outcome=outcome, why=why)
        if outcome == "failed" and any(error in why for error in STAYS):
            # What comes next in this process would fail for this one.
            os._exit(AGAIN)

    @pytest.fixture(scope="class")
    def initialize_from_pytest_config(self, request):
        # numba-cuda's own conftest isn't among what it installs.
        request.cls._dump_failed_filechecks = False


def short(nodeid):
    return "::".join(nodeid.split("::")[1:])


def reason(report):
    if report.skipped and isinstance(report.longrepr, tuple):
        return report.longrepr[2]
    text = str(report.longrepr or getattr(report, "wasxfail", ""))
    lines = [line[1:].strip() for line in text.splitlines() if line.startswith("E ")]
    return " | ".join(lines)[:600] or text[-300:]


def main(outcomes, module):
    record = Record(outcomes)
    # What the driver prints isn't kept from the log.
    # Without namespaces numba-cuda's modules would have names by which they can't be imported again.
    options = ["-q", "--capture=sys", "-p", "no:cacheprovider", "-o", "consider_namespace_packages=true"]
    status = pytest.main([*options, "--pyargs", module], plugins=[record])
    record.write(test="(module)", outcome="ended", why=str(int(status)))
    # Threads that a library left behind don't hold the process up.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
