"""A service with the AWS JSON protocol at `spotsim serve`, without botocore's client."""
import json

from json_shapes import JsonWitness
from serve_ec2 import Refused, Service


class JsonService(Service):
    """A service with the AWS JSON protocol. `target` is the prefix of its operations."""

    def __init__(self, port, name, target, **more):
        super().__init__(port, JsonWitness(**more), name)
        self.target = target

    def send(self, action, body):
        self.connection.request("POST", "/", body, {
            "Content-Type": self.seen.content_type, "Authorization": self.signature,
            "X-Amz-Target": f"{self.target}.{action}"})
        answer = self.connection.getresponse()
        body = answer.read()
        self.seen(self.model.operation_model(action), answer.status,
                  dict(answer.getheaders()), body)
        found = json.loads(body or "{}")
        if answer.status != 200:
            raise Refused(found["__type"].split("#")[-1], found, answer.status)
        return found

    def call(self, action, more=None, **parameters):
        """What the answer holds. Throws Refused."""
        return self.send(action, json.dumps(parameters | (more or {})))

    def finish(self, actions, **more):
        """Sends a broken request of each action, then ends the test if an answer was wrong."""
        for action in actions:
            try:
                self.send(action, '{"')
            except Refused:
                pass
        self.seen.finish(actions, **more)
