// Instances as sandboxes of real processes: the cloud's Host over namespaces, loop devices and the
// time supervisor.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fakes/backend.h"
#include "fakes/http/server.h"
#include "fakes/web/url.h"
#include "sim/guest/disks/write_back.h"
#include "sim/guest/guest_host.h"
#include "sim/guest/network/network_knobs.h"
#include "sim/guest/process/progress/progress_rule.h"
#include "sim/guest/sandbox/image.h"
#include "sim/guest/sandbox/level.h"
#include "sim/guest/time/supervisor.h"

namespace sim::guest {

struct GuestConfig {
  Level level = Level::kPlain;
  bool lockstep = false;
  std::string region;
  std::filesystem::path programs;  // a folder of binaries that appear first on the guests' PATH
  std::filesystem::path output;    // console logs: OUT/console/<instance or operator>.log
  // URL → local folder. The folder's files become a git repository that guests clone from that URL.
  std::map<std::string, std::filesystem::path> repositories;
  // The images from which instances boot, by ImageId. Other IDs use `other_image`.
  std::map<std::string, Image> images;
  Image other_image;
  fakes::WebContents urls;  // URLs that guests can reach; not at kPlain
  cloud::Durations durations;
  WriteBackKnobs write_back;
  std::optional<ProgressRule> progress;  // how trainers' logs are read
  std::string checkpoint_copies;         // where copies of checkpoints go, s3://…; may be empty
  NetworkKnobs network;
  bool warm_aws = false;  // aws-cli continues from a memory image (WarmPrograms)
  std::vector<std::string>
      keep;  // files that instances leave in OUT/files/<instance>/; not at kPlain
  // Gets messages that are not part of the log, such as that this machine's own activity may
  // influence the run. May be empty.
  std::function<void(const std::string&)> say;
};

// Instances as real processes in sandboxes. Each guest boots from its image and the host's own
// programs (image.h). All guests end with this process, however it ends. Construct it while the
// process has one thread: the process moves into namespaces of its own (level.h).
// process_host_state.h explains the parts.
class ProcessHost : public GuestHost {
 public:
  // Throws std::runtime_error or std::system_error with what could not be set up.
  ProcessHost(Simulation&, EventLog&, const Streams&, fakes::Server&, GuestConfig);
  ~ProcessHost() override;  // kills and unmounts everything

  void connect(fakes::Backend& backend) override;
  void run_operator(const std::string& script, const std::filesystem::path& folder,
                    std::function<void(int status)> exited) override;
  bool run(const std::function<bool()>& done) override;

  bool can(GuestFault::What) const override;
  void inflict(const cloud::InstanceId&, const GuestFault&) override;
  bool cut_power_at(const cloud::InstanceId&, FileCut cut) override;
  void watch_writes() override;
  void zero_first_block(const cloud::VolumeId&) override;

  void boot(const cloud::Instance&) override;
  void shut_down(const cloud::Instance&, cloud::Shutdown, std::function<void()> gone) override;
  void reboot(const cloud::Instance&, Duration takes, std::function<void()> at_rest) override;
  void halt(const cloud::Instance&, cloud::Shutdown, std::function<void()> at_rest) override;
  void start_again(const cloud::Instance&, Duration takes) override;
  void hibernate(const cloud::Instance&, std::function<void()> at_rest) override;
  void resume(const cloud::Instance&) override;
  std::string console(const cloud::InstanceId&, std::size_t most) const override;
  Duration computing_time(const cloud::InstanceId&, Time from, Time to) const override;
  cloud::ContainerFolder container_folder(const cloud::InstanceId&) override;
  bool run_container(const cloud::Instance&, const cloud::Container&,
                     cloud::ContainerHooks) override;
  void stop_container(const cloud::InstanceId&, Duration grace) override;
  void create_disk(const cloud::Volume&) override;
  void change_disk(const cloud::Volume&) override;
  void delete_disk(const cloud::VolumeId&) override;
  std::int64_t snapshot_disk(const cloud::SnapshotId&, const cloud::VolumeId&) override;
  std::optional<std::int64_t> changed_bytes(const cloud::SnapshotId& previous,
                                            const cloud::SnapshotId& snapshot) override;
  void copy_snapshot_disk(const cloud::SnapshotId& from, const cloud::SnapshotId& to) override;
  void delete_snapshot_disk(const cloud::SnapshotId&) override;
  void plug(const cloud::VolumeId&, const cloud::InstanceId&, const std::string& device) override;
  void unplug(const cloud::VolumeId&, const cloud::InstanceId&, bool force,
              std::function<void()> released) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sim::guest
