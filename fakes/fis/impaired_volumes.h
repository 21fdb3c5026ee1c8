// Volumes whose I/O an experiment has paused, for DescribeVolumeStatus.
#pragma once

#include <string>

#include "fakes/backend.h"

namespace fakes::fis {

// True if a running action has paused the volume's I/O for 120 seconds: EC2 shows the status
// impaired by then (EBS User Guide, "Pause I/O fault injection"). AWS requires that a program
// drives I/O to the volume, which this function does not check.
bool is_impaired(const Backend& backend, const std::string& volume);

}  // namespace fakes::fis
