#!/bin/bash
# Trains, or goes on from the newest good checkpoint. Where data and checkpoints lie, how long a step takes on
# this machine and where to report progress come from the environment: DATA_DIR, CHECKPOINT_DIR,
# EMULATE_STEP_TIME, JOB_EVENTS. 2048 images in batches of 32 are 64 steps an epoch.
exec spottrain train --epochs 26 --batch 32 --policy epoch,on-notice "$@"
