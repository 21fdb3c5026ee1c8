"""serve_pricing.py SPOTSIM SCENARIO: the price list of `spotsim serve`. Answers are compared with
botocore's shapes, boto3's paginators collect all products, and scripts' usual filters find the
on-demand price that the simulator bills."""
import json
import pathlib
import subprocess
import sys

from json_service import JsonService
from serve_ec2 import served_actions
from serve_support import Served, aws_environment
from support import expect, fail, skip

try:
    import boto3
except ImportError as error:
    skip(f"this python3 has no {error.name}")

AWS = "/usr/bin/aws"
# The filters of scripts that look up an on-demand price.
USUAL = {"tenancy": "Shared", "operatingSystem": "Linux", "preInstalledSw": "NA",
         "capacitystatus": "Used", "instanceType": "p3.2xlarge"}


def matches(fields, kind="TERM_MATCH"):
    return [{"Type": kind, "Field": field, "Value": value} for field, value in fields.items()]


def dollars(item):
    """The price in an element of PriceList, read as scripts do."""
    (term,) = json.loads(item)["terms"]["OnDemand"].values()
    (dimension,) = term["priceDimensions"].values()
    return float(dimension["pricePerUnit"]["USD"]), dimension["unit"]


def walk(ask):
    ask("DescribeServices", FormatVersion="aws_v1", MaxResults=2)
    ask("DescribeServices", ServiceCode="AmazonEC2")
    found = ask("GetAttributeValues", ServiceCode="AmazonEC2", AttributeName="volumeApiName")
    expect([each["Value"] for each in found["AttributeValues"]],
           ["gp2", "gp3", "io1", "io2", "sc1", "st1", "standard"], "the volume types")
    ask("GetProducts", ServiceCode="AmazonS3", FormatVersion="aws_v1")
    # Filters of newer models, which the installed one lacks.
    for kind, value, count in (("ANY_OF", "m5.large,m5.xlarge", 2), ("EQUALS", "m5.large", 1),
                               ("CONTAINS", "p3.", 3), ("NONE_OF", "m5.large", None)):
        products = ask("GetProducts", ServiceCode="AmazonEC2", Filters=[
            *matches({"regionCode": "us-west-2", "productFamily": "Compute Instance"}),
            *matches({"instanceType": value}, kind)])["PriceList"]
        if count is not None:
            expect(len(products), count, f"the products of {kind} {value}")


def check_client(served, region):
    client = boto3.client("pricing", endpoint_url=served.url, region_name=region,
                          aws_access_key_id="AKIDEXAMPLE", aws_secret_access_key="secret")
    for place in ({"location": "US West (Oregon)"}, {"regionCode": "us-west-2"}):
        (item,) = client.get_products(ServiceCode="AmazonEC2",
                                      Filters=matches(USUAL | place))["PriceList"]
        expect(dollars(item), (3.06, "Hrs"), f"p3.2xlarge in {place}")
        attributes = json.loads(item)["product"]["attributes"]
        expect((attributes["vcpu"], attributes["memory"], attributes["usagetype"]),
               ("8", "61 GiB", "USW2-BoxUsage:p3.2xlarge"), "its attributes")
    expect(client.get_products(ServiceCode="AmazonEC2", Filters=matches(
        USUAL | {"operatingSystem": "Windows"}))["PriceList"], [], "Windows")
    (item,) = client.get_products(ServiceCode="AmazonEC2", Filters=matches(
        {"volumeApiName": "gp3", "productFamily": "Storage"}))["PriceList"]
    expect(dollars(item), (0.08, "GB-Mo"), "a gp3 volume")
    (item,) = client.get_products(ServiceCode="AmazonS3", Filters=matches(
        {"group": "S3-API-Tier1"}))["PriceList"]
    expect(dollars(item), (0.000005, "Requests"), "an S3 request")
    pages = list(client.get_paginator("get_products").paginate(
        ServiceCode="AmazonEC2", Filters=matches({"regionCode": "us-west-2"})))
    items = [item for page in pages for item in page["PriceList"]]
    skus = {json.loads(item)["product"]["sku"] for item in items}
    if len(pages) < 2 or len(skus) != len(items):
        fail(f"{len(items)} products on {len(pages)} pages have {len(skus)} SKUs")
    types = list(client.get_paginator("get_attribute_values").paginate(
        ServiceCode="AmazonEC2", AttributeName="instanceType"))
    if len(types) < 2:
        fail(f"the instance types are on {len(types)} page")
    for call, code in ((lambda: client.get_products(ServiceCode="AmazonRDS"), "NotFoundException"),
                       (lambda: client.get_products(ServiceCode="AmazonEC2", NextToken="x"),
                        "InvalidNextTokenException")):
        try:
            call()
            fail(f"a call is not refused with {code}")
        except client.exceptions.ClientError as error:
            expect(error.response["Error"]["Code"], code, "a refusal")


def check_aws_cli(served):
    if not pathlib.Path(AWS).exists():
        print("no aws-cli: its part was left out")
        return
    done = subprocess.run(
        [AWS, "--endpoint-url", served.url, "--region", "us-east-1", "pricing", "get-products",
         "--service-code", "AmazonEC2", "--filters",
         *(f"Type=TERM_MATCH,Field={field},Value={value}"
           for field, value in (USUAL | {"regionCode": "us-west-2"}).items()),
         "--query", "PriceList", "--output", "json"],
        capture_output=True, text=True, timeout=120, check=False, env=aws_environment())
    if done.returncode != 0:
        fail(f"aws pricing get-products: {done.stderr}")
    expect([dollars(item) for item in json.loads(done.stdout)], [(3.06, "Hrs")], "aws-cli's answer")


spotsim, scenario = sys.argv[1:]
source = pathlib.Path(__file__).resolve().parents[2]
with Served(spotsim, scenario, "--speed", "manual") as it:
    service = JsonService(it.port, "pricing", "AWSPriceListService")
    walk(service.call)
    service.finish(served_actions(source, "pricing"))
    for name in ("us-east-1", "eu-central-1", "ap-south-1"):
        check_client(it, name)
    check_aws_cli(it)
