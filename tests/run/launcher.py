"""launcher.py SPOTSIM PRICES: the first calls of a launcher, with unchanged aws-cli and boto3, by
name and over TLS. The operator makes a role and an instance profile and looks up the newest image.
The instance that it launches has the role, and calls IAM and Systems Manager itself."""
import pathlib
import sys
import tempfile

from support import Run, fail, skip

IMAGE = "/aws/service/ami-amazon-linux-latest/amzn2-ami-hvm-x86_64-gp2"
SCENARIO = """name: launcher
start: 2019-11-05T10:00:00Z
limit: 1h
market: {prices: [PRICES]}
evidence: scripts
operator:
  script: |
    set -e
    cd "$(mktemp -d)"
    cat >trust.json <<'END'
    {"Version": "2012-10-17", "Statement": [{"Effect": "Allow",
      "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}]}
    END
    cat >user-data <<'END'
    #!/bin/bash
    export AWS_DEFAULT_REGION=us-west-2
    {
      echo "role: $(curl -s http://169.254.169.254/latest/meta-data/iam/security-credentials/)"
      aws iam list-attached-role-policies --role-name train --output text \\
        --query 'AttachedPolicies[].PolicyName'
      aws iam get-instance-profile --instance-profile-name train --output text \\
        --query InstanceProfile.Roles[0].AssumeRolePolicyDocument.Version
      aws sts get-caller-identity --query Arn --output text | cut -d/ -f1,2
      [ "$(aws ssm get-parameter --name IMAGE --query Parameter.Value --output text)" = \\
        "$(curl -s http://169.254.169.254/latest/meta-data/ami-id)" ] && echo the newest image
      /usr/bin/python3 -c 'import boto3
    print([r["RoleName"] for page in boto3.client("iam").get_paginator("list_roles").paginate()
           for r in page["Roles"]])'
    } >/root/seen 2>&1
    poweroff
    END
    aws iam create-role --role-name train --assume-role-policy-document file://trust.json
    aws iam attach-role-policy --role-name train \\
      --policy-arn arn:aws:iam::aws:policy/AmazonS3FullAccess
    aws iam create-instance-profile --instance-profile-name train
    aws iam add-role-to-instance-profile --instance-profile-name train --role-name train
    aws iam wait instance-profile-exists --instance-profile-name train
    aws iam create-service-linked-role --aws-service-name spot.amazonaws.com
    launch() {
      aws ec2 run-instances --image-id resolve:ssm:IMAGE --instance-type p3.2xlarge \\
        --placement AvailabilityZone=us-west-2b --user-data file://user-data \\
        --instance-market-options MarketType=spot --iam-instance-profile Name="$1"
    }
    launch none 2>&1 | grep -q 'InvalidParameterValue.*Invalid IAM Instance Profile name'
    launch train
keep: [/root/seen]
"""
EXPECTED = ["role: train", "AmazonS3FullAccess", "2012-10-17",
            "arn:aws:sts::123456789012:assumed-role/train", "the newest image",
            "['AWSServiceRoleForEC2Spot', 'train']"]

spotsim, prices = sys.argv[1:]
if not pathlib.Path("/usr/bin/aws").exists():
    skip("aws-cli is not installed")
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    scenario = folder / "launcher.yaml"
    scenario.write_text(SCENARIO.replace("PRICES", prices).replace("IMAGE", IMAGE))
    run = Run(spotsim, str(scenario), out=folder / "out")
    seen = [file.read_text().splitlines() for file in (folder / "out").rglob("seen")]
    if run.status != 0 or seen != [EXPECTED]:
        fail(f"status {run.status}, found {seen}, expected {[EXPECTED]}\n{run.process.stderr}")
