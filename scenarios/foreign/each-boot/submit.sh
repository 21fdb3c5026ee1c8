#!/bin/bash
set -euo pipefail
aws s3 mb s3://each-boot-123456789012
request=$(mktemp)
sed "s|USER_DATA|$(base64 -w0 user-data.sh)|" fleet.json >"$request"
aws ec2 request-spot-fleet --spot-fleet-request-config "file://$request"
