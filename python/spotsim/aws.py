"""A simulated AWS for a test: boto3 on the one side, what happens to the cloud on the other."""
import os

from .control import Clock, Faults
from .events import events_of

REGION = "us-west-2"


class Aws:
    """The simulated AWS of a server, from a reset on."""

    def __init__(self, server, region=REGION):
        self.server = server
        self.region = region
        self.control = server.control
        self.clock = Clock(self.control)
        self.faults = Faults(self.control)

    @property
    def url(self):
        """The address at which all services answer."""
        return self.server.url

    @property
    def environment(self):
        """This process's environment, with the variables that lead aws-cli and SDKs to the service."""
        return {**os.environ, "AWS_ENDPOINT_URL": self.url, "AWS_ACCESS_KEY_ID": "any",
                "AWS_SECRET_ACCESS_KEY": "any", "AWS_DEFAULT_REGION": self.region,
                "SPOTSIM_URL": self.url}

    def client(self, service, **options):
        """A boto3 client of a service, such as "ec2"."""
        return self._session().client(service, **self._options(options))

    def resource(self, service, **options):
        """A boto3 resource of a service, such as "ec2"."""
        return self._session().resource(service, **self._options(options))

    def metadata_url(self, instance):
        """The address of an instance's metadata service, below which are paths such as /latest/…

        AWS_EC2_METADATA_SERVICE_ENDPOINT leads botocore there.
        """
        return f"{self.url}/_spotsim/imds/{instance_id(instance)}"

    # ---- what happens to the cloud

    def interrupt(self, instance, how="notice", reason=None):
        """EC2 takes a spot instance back: with a "notice", "hard", or a "rebalance" recommendation."""
        return self.control.post("interrupt", instance=instance_id(instance), how=how,
                                 reason=reason)

    def drain(self, pool, slots=0, how=None):
        """A pool such as "p3.2xlarge/us-west-2b" has so many slots from now on."""
        return self.control.post("drain", pool=pool, slots=slots, how=how)

    def price(self, pool, price):
        """A pool costs so many US dollars an hour from now on."""
        return self.control.post("price", pool=pool, price=str(price))

    def reset(self):
        """Begins anew: nothing exists, and time is the start's."""
        self.control.post("reset")

    # ---- what became of it

    @property
    def events(self):
        """The event log since the reset."""
        return events_of(self.control.log())

    @property
    def instances(self):
        """All instances there were, as the control API describes them."""
        return self.control.get("instances")["instances"]

    @property
    def result(self):
        """The result so far, with the bill (docs/result.md)."""
        return self.control.get("result")["result"]

    @property
    def cost(self):
        """US dollars so far."""
        return self.control.get("result")["cost_so_far_usd"]

    def _session(self):
        try:
            import boto3
        except ImportError:
            raise ImportError("clients need boto3: pip install boto3, or Debian's package "
                              "python3-boto3") from None
        return boto3.session.Session(aws_access_key_id="any", aws_secret_access_key="any",
                                     region_name=self.region)

    def _options(self, options):
        return {"endpoint_url": self.url, **options}


def instance_id(instance):
    """The ID of an instance: itself, or that of boto3's Instance."""
    return instance if isinstance(instance, str) else instance.id
