#!/bin/bash
set -euo pipefail
bucket=s3://training-123456789012
aws s3 mb $bucket
aws s3 cp train.py $bucket/code/train.py --only-show-errors
request=$(mktemp)
sed "s|USER_DATA|$(base64 -w0 user-data.sh)|" fleet.json >"$request"
aws ec2 request-spot-fleet --spot-fleet-request-config "file://$request"
