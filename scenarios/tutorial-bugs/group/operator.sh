# Makes the group. Its user data ends as the standard input says.
set -e
bucket=training-us-west-2-123456789012
aws s3 mb s3://$bucket
cat >/tmp/user-data.sh <<END
#!/bin/bash
set -e
export AWS_DEFAULT_REGION=us-west-2
[ -z "$DATA" ] || cd $DATA
spottrain synthesize --train 2048 --test 512 /root/shapes
spottrain train --data /root/shapes --checkpoints s3://$bucket/job --epochs 1 --imds \\
  --emulate-step-time 4.5s
$(cat)
END
aws autoscaling create-launch-configuration --launch-configuration-name training \
  --image-id ami-0a63f3f0c7e4b2d15 --instance-type p3.2xlarge --spot-price 3.06 \
  --iam-instance-profile spot-training --user-data file:///tmp/user-data.sh
aws autoscaling create-auto-scaling-group --auto-scaling-group-name training \
  --launch-configuration-name training --min-size 1 --max-size 1 \
  --availability-zones us-west-2a us-west-2b
