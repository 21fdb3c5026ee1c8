// Small programs that guests have unless the image's own folder has them. They hide this machine's.
#pragma once

#include <map>
#include <string>

namespace sim::guest::boot {

// Path in the guest → text of a script for sh(1). ec2metadata, of Ubuntu's and Debian's images
// (cloud-utils), and ec2-metadata, of Amazon Linux's, ask the metadata service by curl. docker and
// nvidia-smi say that instances here have no such thing, and end with 127.
const std::map<std::string, std::string>& image_programs();

}  // namespace sim::guest::boot
