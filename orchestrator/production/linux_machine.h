// The Machine of a real instance. linux_disks.cpp has the disks, linux_processes.cpp the processes.
#pragma once

#include <sys/types.h>

#include "orchestrator/production/stop_signals.h"
#include "orchestrator/seams/machine.h"

namespace spotrun {

class LinuxMachine : public Machine {
 public:
  // `root` is put in front of all paths of disks and mount points (SPOTRUN_ROOT). It is for hosts
  // that give a machine a folder instead of a mount namespace. There, and if a device node is a
  // folder, that folder is the volume. Mounting it makes a bind mount or, without the right to
  // mount, a symbolic link.
  LinuxMachine(StopSignals& signals, std::string root);
  ~LinuxMachine() override;  // kills a trainer that still runs

  std::optional<std::string> find_device(const std::string& device,
                                         const std::string& volume_id) override;
  DeviceContent probe(const std::string& node) override;
  void format(const std::string& node, const std::string& filesystem) override;
  void mount(const std::string& node, const std::string& filesystem,
             const std::string& mount_point) override;
  void unmount(const std::string& mount_point) override;
  void make_folder(const std::string& path) override;
  void remove_folder(const std::string& path) override;
  bool exists(const std::string& path) override;
  std::string state_of(const std::string& folder) override;
  void write_file(const std::string& path, const std::string& text) override;
  std::string local_path(const std::string& path) const override { return root_ + path; }

  ExitStatus run(const Command& command) override;
  void start_trainer(const Command& command) override;
  void signal_trainer(int signal) override;
  std::optional<ExitStatus> wait_trainer(Duration timeout, Time look) override;

 private:
  struct Child {
    pid_t pid = -1;
    int descriptor = -1;  // pidfd
  };
  Child start(const Command& command);
  ExitStatus reap(Child& child);

  StopSignals& signals_;
  std::string root_;
  Child trainer_;
  pid_t group_ = -1;  // group of the last trainer, because its children may outlive it
};

}  // namespace spotrun
