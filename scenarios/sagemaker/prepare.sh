# A bucket with a data set in it.
bucket=sagemaker-us-west-2-123456789012
aws s3 mb s3://$bucket
spottrain synthesize --train 2048 --test 512 /tmp/digits
aws s3 cp --recursive --only-show-errors /tmp/digits s3://$bucket/digits
