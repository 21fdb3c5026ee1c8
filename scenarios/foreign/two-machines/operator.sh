#!/bin/bash
# One volume and one spot fleet of one instance for each of the two ranks; spot-fleet.json is that of rank 0. The zone of the volume is the zone of the
# rank, so a replacement finds what its predecessor saved.
set -euo pipefail
start_rank() {  # RANK ZONE
  aws ec2 create-volume --availability-zone "$2" --size 20 --volume-type gp2 \
    --tag-specifications "ResourceType=volume,Tags=[{Key=Name,Value=gang},{Key=Rank,Value=$1}]" \
    --query VolumeId --output text
  local request
  request=$(mktemp)
  sed "s|USER_DATA|$(base64 -w0 user-data.sh)|; s|us-west-2a|$2|; s|\"0\"|\"$1\"|" spot-fleet.json >"$request"
  aws ec2 request-spot-fleet --spot-fleet-request-config "file://$request" --output text
}
start_rank 0 us-west-2a
start_rank 1 us-west-2b

# Each rank leaves the sum of its weights on its volume when training is over.
sums() {
  aws ec2 describe-volumes --filters Name=tag:Name,Values=gang --output text \
    --query "Volumes[].Tags[?Key=='Sum'].Value[]"
}
until [[ $(sums | wc -w) == 2 ]]; do sleep 300; done
echo "the weights' sums: $(sums)"
[[ $(sums | tr '\t' '\n' | sort -u | wc -l) == 1 ]]
