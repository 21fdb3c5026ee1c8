// Small programs that guests have unless the image's own folder has them. They hide this machine's.
#pragma once

#include <map>
#include <string>

namespace sim::guest::boot {

// Path in the guest → text of a script for sh(1). ec2metadata (Ubuntu's and Debian's images,
// cloud-utils) and ec2-metadata (Amazon Linux) query the metadata service with curl. The scripts
// `docker` and `nvidia-smi` print that simulated instances do not have them, and exit with 127.
const std::map<std::string, std::string>& image_programs();

}  // namespace sim::guest::boot
