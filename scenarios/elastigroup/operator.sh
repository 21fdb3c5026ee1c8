#!/bin/bash
# Makes a stateful Elastigroup of one instance with curl: operator.sh MODE [USER_DATA]. MODE is reattach or onLaunch.
set -euo pipefail
request=$(mktemp)
sed -e "s|MODE|$1|" -e "s|USER_DATA|$(base64 -w0 "${2:-user-data.sh}")|" group.json >"$request"
curl --silent --show-error --fail-with-body --request POST \
  --header 'Authorization: Bearer 0123456789abcdef' --header 'Content-Type: application/json' \
  --data "@$request" 'https://api.spotinst.io/aws/ec2/group?accountId=act-12345678'
