#!/bin/bash
# Each instance of the fleet, at boot and as root: the volume, the code, and training as the image's user ubuntu.
export AWS_DEFAULT_REGION=us-west-2
instance=$(curl -s http://169.254.169.254/latest/meta-data/instance-id)
volume=$(aws ec2 describe-volumes --filters Name=tag:Name,Values=keras-checkpoints \
  --query 'Volumes[0].VolumeId' --output text)
aws ec2 wait volume-available --volume-ids "$volume"
aws ec2 attach-volume --volume-id "$volume" --instance-id "$instance" --device /dev/sdf
until [ -e /dev/xvdf ]; do sleep 1; done

blkid /dev/xvdf || mkfs -t ext4 -q /dev/xvdf
mkdir -p /checkpoints
mount /dev/xvdf /checkpoints
chown ubuntu:ubuntu /checkpoints        # or the trainer may not write there

sudo -H -u ubuntu git clone -q https://github.com/example/keras-line.git /home/ubuntu/keras-line
sudo -H -u ubuntu bash -c "
  source ~/anaconda3/bin/activate keras &&
  cd ~/keras-line &&
  python train.py --checkpoints /checkpoints" || exit

fleet=$(aws ec2 describe-tags --query 'Tags[0].Value' --output text --filters \
  "Name=resource-id,Values=$instance" Name=key,Values=aws:ec2spot:fleet-request-id)
aws ec2 cancel-spot-fleet-requests --spot-fleet-request-ids "$fleet" --no-terminate-instances
umount /checkpoints
shutdown -h now
