// The script that EC2 runs at an instance's first boot.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/job/job.h"

namespace spotrun {

// A bash script that writes the job file and runs `spotrun SUBCOMMAND --job FILE`. It shuts the
// instance down unless that exits with 0, so that no useless instance is paid for, for example if
// the image lacks spotrun. The image has spotrun, git, mkfs and blkid. Throws Failure(kBadInput) if
// the script exceeds EC2's 16 KiB.
std::string user_data(const Job& job, const std::string& subcommand);

// The inverse of user_data(), for a host that runs the command without a shell. Empty for any other
// script.
struct UserData {
  std::string job;  // the job file's text
  std::string subcommand;
};
std::optional<UserData> read_user_data(std::string_view script);

}  // namespace spotrun
