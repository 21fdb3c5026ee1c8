#!/bin/bash
# submit.sh STEPS: requests a fleet that trains, and saves every so many steps.
set -euo pipefail
aws s3 mb s3://own-script-123456789012
request=$(mktemp)
sed "s|USER_DATA|$(sed "s|EVERY|$1|" train.sh | base64 -w0)|" fleet.json >"$request"
aws ec2 request-spot-fleet --spot-fleet-request-config "file://$request"
