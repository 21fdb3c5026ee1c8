// The script that EC2 runs at an instance's first boot.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/job/job.h"

namespace spotrun {

// A bash script that writes the job file, runs `spotrun SUBCOMMAND --job FILE`, and shuts the
// instance down unless that exits with 0, so that none runs on without a use: also where the image
// lacks spotrun or metadata does not answer. spotrun, git, mkfs and blkid are the image's. Throws
// Failure(kBadInput) when it would be longer than EC2's 16 KiB.
std::string user_data(const Job& job, const std::string& subcommand);

// Its inverse, for a host that runs the command without a shell: what such a script runs. Empty for
// any other script.
struct UserData {
  std::string job;  // the job file's text
  std::string subcommand;
};
std::optional<UserData> read_user_data(std::string_view script);

}  // namespace spotrun
