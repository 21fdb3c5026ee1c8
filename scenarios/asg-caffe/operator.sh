#!/bin/bash
# Makes the stack, waits until the training has set the size of its group to 0, and deletes the stack. The bucket stays.
set -euo pipefail
aws cloudformation deploy --stack-name caffe --template-file stack.yaml --capabilities CAPABILITY_IAM
size() {
  aws autoscaling describe-auto-scaling-groups --auto-scaling-group-names caffe \
    --query 'AutoScalingGroups[0].[DesiredCapacity,length(Instances)]' --output text
}
until [ "$(size)" = $'0\t0' ]; do sleep 300; done
aws cloudformation delete-stack --stack-name caffe
aws cloudformation wait stack-delete-complete --stack-name caffe
