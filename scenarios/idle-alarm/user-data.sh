#!/bin/bash
# Trains for forty minutes, and does not switch the instance off.
report() { echo "{\"source\": \"trainer\", $1}" >>"$JOB_EVENTS"; }
report '"event": "start", "step": 0, "total_steps": 40'
for step in {1..40}; do
  sleep 60                           # your training
  report "\"event\": \"step\", \"step\": $step"
done
report '"event": "finished", "step": 40'
