// The script that EC2 runs at an instance's first boot.
#pragma once

#include <string>

#include "orchestrator/job.h"

namespace spotrun {

// A bash script that writes the job file, runs `spotrun SUBCOMMAND --job FILE`, and shuts the
// instance down unless that exits with 0, so that none runs on without a use: also where the image
// lacks spotrun or metadata does not answer. spotrun, git, mkfs and blkid are the image's. Throws
// Failure(kBadInput) when it would be longer than EC2's 16 KiB.
std::string user_data(const Job& job, const std::string& subcommand);

}  // namespace spotrun
