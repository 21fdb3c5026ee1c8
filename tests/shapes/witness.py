"""Collects what tests of answers have in common: which actions were answered and refused, and what
differs from botocore's model."""
import collections
import re

from support import fail

REQUEST_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Witness:
    """Sees each answer. `faults`: the differences, each with its path. `full`: the actions with an
    answer that had content. `samples` has the last of these answers, `refusals` the last errors."""

    def __init__(self):
        self.answers, self.errors = collections.Counter(), collections.Counter()
        self.faults, self.full, self.silent = [], set(), set()
        self.samples, self.refusals = {}, {}

    def fault(self, path, found, expected):
        self.faults.append(f"{path}: found {found!r}, expected {expected}")

    def __call__(self, operation, status, headers, body):
        headers = {name.lower(): value for name, value in headers.items()}
        if status >= 300:
            self.errors[operation.name] += 1
            self.error(operation, status, headers, body)
            self.refusals[operation.name] = operation, status, headers, body
            return
        self.answers[operation.name] += 1
        if self.answer(operation, headers, body):
            self.full.add(operation.name)
            self.samples[operation.name] = operation, status, headers, body
        if operation.output_shape is None or not operation.output_shape.members:
            self.silent.add(operation.name)

    def after_call(self, http_response, model, **_):
        """For boto3's event of this name."""
        self(model, http_response.status_code, http_response.headers, http_response.content)

    def finish(self, actions, empty=(), refused=(), errors=None):
        """Ends the test if an answer differs from the model, or if no answer, no content or no
        error of an action was seen. The actions `empty` have no content here, and the actions
        `refused` have only errors. Errors are required of the actions `errors`, by default of
        all."""
        for fault in dict.fromkeys(re.sub(r"\[\d+\]", "[]", fault) for fault in self.faults):
            print(f"FAULT {fault}")
        if self.faults:
            fail("answers are not as botocore's model has them")
        answered = set(actions) - set(refused)
        for what, missing in (
                ("answer", answered - set(self.answers)),
                ("content", answered - self.full - self.silent - set(empty)),
                ("error", set(actions if errors is None else errors) - set(self.errors))):
            if missing:
                fail(f"no {what} was seen of {sorted(missing)}")
        if wrong := (set(empty) & self.full) | (set(refused) & set(self.answers)):
            fail(f"these have content or answers: {sorted(wrong)}")
        print(f"{sum(self.answers.values())} answers and {sum(self.errors.values())} errors of "
              f"{len(self.answers)} actions")


def check_that_it_notices(witness, sample, breaks):
    """A check of the check. `witness` makes a new one. Each of `breaks`, (what, good, broken),
    damages the bytes of the sample's head and body in one way that must be noticed."""
    operation, status, headers, body = sample
    whole = witness()
    whole(operation, status, headers, body)
    if whole.faults:
        fail(f"the answer to break has faults: {whole.faults}")
    for what, good, broken in breaks:
        head = {name.replace(good.decode(), broken.decode()):
                value.replace(good.decode(), broken.decode()) for name, value in headers.items()}
        damaged = head, body.replace(good, broken)
        if damaged == (headers, body):
            fail(f"the answer to break has no {good}: {headers} {body}")
        witness_of_it = witness()
        witness_of_it(operation, status, *damaged)
        if not witness_of_it.faults:
            fail(f"this is not noticed: {what}: {damaged}")
