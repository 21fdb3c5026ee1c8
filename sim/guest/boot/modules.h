// cloud-init's modules for cloud-config, except the modules that run scripts.
#pragma once

#include "sim/guest/boot/boot_log.h"
#include "sim/guest/boot/cloud_config.h"
#include "sim/guest/boot/programs.h"

namespace sim::guest::boot {

// These modules log single failures, and throw std::exception when they fail completely.
void write_files(const std::vector<WriteFile>& files, BootLog& log);
void mount_all(const std::vector<std::vector<std::string>>& mounts, Programs&, BootLog&);
// Mounts the entries of fstab(5), at the boot after a reboot.
void mount_fstab(Programs&, BootLog&);
void set_hostname(const std::string& name, BootLog&);
void set_timezone(const std::string& name, BootLog&);
void make_users(const CloudConfig& config, Programs&, BootLog&);
void look_for_packages(const std::vector<std::string>& packages, Programs&, BootLog&);

// Writes a file and the folders above it; throws std::system_error.
void put_file(const std::filesystem::path& file, const std::string& text, int mode);

}  // namespace sim::guest::boot
