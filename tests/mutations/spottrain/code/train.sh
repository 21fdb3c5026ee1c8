#!/bin/bash
# 1024 images in batches of 32 are 32 steps an epoch.
exec spottrain train --epochs 5 --batch 32 --policy epoch,on-notice "$@"
