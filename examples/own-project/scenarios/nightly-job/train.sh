#!/bin/bash
report() { echo "{\"source\": \"trainer\", $1}" >>"$JOB_EVENTS"; }
report '"event": "start", "step": 0, "total_steps": 100'
for step in {1..100}; do
  sleep 30                             # your training
  report "\"event\": \"step\", \"step\": $step"
done
report '"event": "finished", "step": 100'
poweroff
