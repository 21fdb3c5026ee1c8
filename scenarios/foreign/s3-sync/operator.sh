#!/bin/bash
# Creates a bucket for all instances and a fleet of one instance, which replaces an interrupted one.
set -euo pipefail
aws s3 mb s3://spot-checkpoints
request=$(mktemp)
sed "s|USER_DATA|$(base64 -w0 user-data.sh)|" fleet.json >"$request"
aws ec2 request-spot-fleet --spot-fleet-request-config "file://$request"
