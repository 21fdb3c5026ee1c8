#!/bin/bash
cat /opt/model/weights
poweroff
