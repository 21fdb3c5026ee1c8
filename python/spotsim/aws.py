"""A simulated AWS for a test: clients for boto3, and calls that interrupt, drain and price spot."""
import os

from .control import Clock, Faults
from .events import events_of

REGION = "us-west-2"


class Aws:
    """The simulated AWS of a server. It begins with a reset."""

    def __init__(self, server, region=REGION):
        self.server = server
        self.region = region
        self.control = server.control
        self.clock = Clock(self.control)
        self.faults = Faults(self.control)

    @property
    def url(self):
        """The URL of all services."""
        return self.server.url

    @property
    def environment(self):
        """This process's environment, with variables that lead SDKs to the service."""
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
        """The URL of an instance's metadata service, without paths such as /latest/…

        Set AWS_EC2_METADATA_SERVICE_ENDPOINT to it for botocore.
        """
        return f"{self.url}/_spotsim/imds/{instance_id(instance)}"

    # ---- events that the test causes

    def interrupt(self, instance, how="notice", reason=None):
        """Interrupts a spot instance: with a "notice", "hard", or by a "rebalance" recommendation."""
        return self.control.post("interrupt", instance=instance_id(instance), how=how,
                                 reason=reason)

    def drain(self, pool, slots=0, how=None):
        """Sets the number of slots of a pool such as "p3.2xlarge/us-west-2b"."""
        return self.control.post("drain", pool=pool, slots=slots, how=how)

    def price(self, pool, price):
        """Sets the spot price of a pool, in US dollars an hour."""
        return self.control.post("price", pool=pool, price=str(price))

    def on_demand(self, pool, slots=None):
        """Limits a pool's on-demand instances; without slots their number is unlimited."""
        return self.control.post("on-demand", pool=pool, slots=slots)

    def quotas(self, **quotas):
        """Sets quotas: spot_vcpus, spot_requests, on_demand_vcpus; "none" removes one.

        Returns all quotas, None for one without a limit.
        """
        return self.control.post("quotas", **quotas)

    def reset(self):
        """Deletes all resources, and sets the time back to the start."""
        self.control.post("reset")

    # ---- results

    @property
    def events(self):
        """The events since the reset."""
        return events_of(self.control.log())

    @property
    def instances(self):
        """All instances since the reset, as the control API describes them."""
        return self.control.get("instances")["instances"]

    @property
    def result(self):
        """The result so far, with the bill (docs/result.md)."""
        return self.control.get("result")["result"]

    @property
    def cost(self):
        """The cost so far, in US dollars."""
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
    """The ID of an instance, which is an ID or boto3's Instance."""
    return instance if isinstance(instance, str) else instance.id
