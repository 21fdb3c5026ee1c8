#!/bin/bash
# Makes a stateful Elastigroup of one instance with curl.
set -euo pipefail
request=$(mktemp)
sed "s|USER_DATA|$(base64 -w0 user-data.sh)|" group.json >"$request"
curl --silent --show-error --fail-with-body --request POST \
  --header 'Authorization: Bearer 0123456789abcdef' --header 'Content-Type: application/json' \
  --data "@$request" 'https://api.spotinst.io/aws/ec2/group?accountId=act-12345678'
