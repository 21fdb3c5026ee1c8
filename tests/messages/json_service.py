"""A service with the AWS JSON protocol at `spotsim serve`, without botocore's client."""
import json

import json_shapes
from serve_ec2 import Service
from support import fail


class JsonService(Service):
    """A service with the AWS JSON protocol. `target` is the prefix of its operations."""

    def __init__(self, port, name, target):
        super().__init__(port, None, name)
        self.target, self.answered, self.faults = target, set(), []

    def call(self, action, more=None, **parameters):
        self.connection.request("POST", "/", json.dumps(parameters), {
            "Content-Type": "application/x-amz-json-1.1", "Authorization": self.signature,
            "X-Amz-Target": f"{self.target}.{action}"})
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            fail(f"{action} {parameters}: {answer.status} {body}")
        shape, found = self.model.operation_model(action).output_shape, json.loads(body or "{}")
        self.answered.add(action)
        self.faults += json_shapes.faults(found, shape, action) if shape else []
        return found

    def finish(self, actions):
        for fault in self.faults:
            print(f"FAULT {fault}")
        if self.faults or set(actions) - self.answered:
            fail(f"answers are not as botocore's model has them, or none came of "
                 f"{sorted(set(actions) - self.answered)}")
        print(f"{len(self.answered)} actions of {self.target}")
