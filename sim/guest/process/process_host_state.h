// What ProcessHost's parts share; private to them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/umask.h"
#include "fakes/http/certificate_authority.h"
#include "fakes/web/web.h"
#include "sim/cloud/ids.h"
#include "sim/guest/disks/disk_times.h"
#include "sim/guest/disks/disks.h"
#include "sim/guest/names/name_server.h"
#include "sim/guest/network/private_network.h"
#include "sim/guest/process/checkpoint_copies.h"
#include "sim/guest/process/console_device.h"
#include "sim/guest/process/console_file.h"
#include "sim/guest/process/container_output.h"
#include "sim/guest/process/job_events.h"
#include "sim/guest/process/log_watch.h"
#include "sim/guest/process/process_host.h"
#include "sim/guest/process/progress_reader.h"
#include "sim/guest/process/run_folder.h"
#include "sim/guest/process/settings_watch.h"
#include "sim/guest/sandbox/network_settings.h"
#include "sim/guest/sandbox/sandbox.h"
#include "sim/kernel/simulation.h"

namespace sim::guest {

// One machine that runs: an instance, or the operator's.
struct Machine {
  std::string name;            // instance ID or "operator"
  cloud::InstanceId instance;  // empty: the operator's
  Sandbox sandbox;
  JobEvents events;
  ConsoleDevice console;
  int guest = 0;                                       // the supervisor's token
  std::vector<int> listeners;                          // the server's tokens
  bool empty = false;                                  // only its init is left
  Time unmounted{};                                    // when the volume has what it unmounted
  std::vector<std::filesystem::path> written_through;  // opened so since the last charge
  std::function<void()> gone;                          // set while it shuts down
  std::optional<EventId> deadline;                     // of the operating system's grace
  std::function<void(int status)> exited;
  std::optional<ContainerOutput> output = {};  // of a container
  std::optional<Duration> reboot_takes;        // set while all ends for a reboot
  int reboots = 0;
  NetworkSettings network_settings;  // as its first boot found them

  struct Plug {
    std::vector<std::string> names;  // "/dev/xvdf" …: the device's, and of links to it
    std::function<void()> released;  // set while the guest is asked to let go
    bool full = false;               // by a fault
  };
  std::map<cloud::VolumeId, Plug> plugs;
  std::optional<RootDisk> root_disk;                          // as it is shown
  Time full_until = Time::min(), skewed_until = Time::min();  // by the faults that last longest

  struct Progress {  // as the scenario's rule reads it
    LogTail log;
    FilesWatch files;
    std::optional<ProgressReader> reader;
  };
  std::unique_ptr<Progress> progress;          // null: there is no rule, or it is no instance
  std::set<std::string, std::less<>> refused;  // calls that are in the log already
  std::set<std::pair<pid_t, std::string_view>> spun;  // what is in the log of tasks that spin
  int names = 0;                                      // the name server's token; 0: none
  std::set<std::string, std::less<>> unknown_names;   // that are in the log already

  // Descriptors that are readable when the guest has something to tell; without a console, fewer.
  std::vector<int> heard_from() const;
};

// Keys that sign for the region, in the environment: the signature itself is not checked.
void show_credentials(SandboxSpec& spec, const std::string& region);

// As Amazon's images have it, not the time zone of this machine; an image's own counts.
void set_utc(SandboxSpec& spec);

// What is the same for all guests that have a network of their own.
struct Internet {
  std::optional<fakes::CertificateAuthority> authority;  // of this run; its key is nowhere else
  std::map<std::string, std::string> files;              // path in a guest → contents
  std::map<std::string, fakes::TlsIdentity> identities;  // of the names asked for so far
  std::shared_ptr<const fakes::Web> web;
  std::set<std::string, std::less<>> hosts;  // of the scenario's URLs and repositories
};

struct ProcessHost::State {
  State(Simulation&, EventLog&, const Streams&, fakes::Server&, GuestConfig);
  ~State();

  // ---- boot (process_host.cpp)
  Machine& start(const std::string& name, const cloud::InstanceId& instance, SandboxSpec spec,
                 std::optional<ContainerOutput> output = {});
  SandboxSpec spec_for(const std::string& name, const std::string& hostname);
  std::filesystem::path kept_console(const std::string& name) const;
  ConsoleFile& console_of(const std::string& name);  // makes it where there is none
  void copy_console(const Machine& machine);
  void prepare_images();
  const ImageLayers& image_of(const cloud::Instance& instance) const;
  void boot(const cloud::Instance& instance, SandboxSpec& spec);  // process_host_boot.cpp

  // ---- what happens in the machines; a source of the supervisor
  bool poll();
  bool poll(const std::string& name);
  void handle(Machine& machine, const SandboxMessage& message);

  // ---- what a guest may not change (process_host_kernel.cpp)
  void copy_settings();
  void show_new_boot(const Machine& machine);
  std::unique_ptr<UptimeFiles> make_uptime_files(const std::string& name, SandboxSpec&) const;
  void watch_settings(const Machine& machine);
  void restore_settings(const Machine& machine);
  void show_volume(const Machine& machine, const cloud::VolumeId& volume);
  void hide_volume(const Machine& machine, const std::string& device);
  void list_partitions(const Machine& machine) const;
  void serve_random_files(Machine& machine);
  ShownDisk shown(const Machine& machine, const cloud::VolumeId& volume) const;
  void was_refused(int guest, std::string_view call);
  void has_spun(const Supervisor::BusyTask& task);
  void say_busy(const Supervisor::BusyTask& task);

  // ---- names and TLS (process_host_internet.cpp)
  void set_up_internet();
  void connect_to_internet(Machine& machine, const fakes::Handler& aws);
  fakes::Handler internet_of(const Machine& machine, bool tls, const fakes::Handler& aws);
  const fakes::TlsIdentity& identity_of(const std::string& name);
  void add_internet_files(SandboxSpec& spec, bool instance) const;
  void trust_with(const Image& image, SandboxSpec& spec) const;  // its own lists, and the authority
  NameAnswer look_up_for(Machine& machine, const std::string& name);

  // ---- the network between machines (process_host_network.cpp)
  NetworkHooks network_hooks();
  void connect_network();
  void show_private_address(SandboxSpec& spec, const cloud::Instance& instance) const;
  void join_network(const Machine& machine);

  // ---- the end (process_host_end.cpp)
  using Step = void (State::*)(const std::string& name);
  void terminate_all(Machine& machine, Step ended, Step overdue);
  void stop_gracefully(Machine& machine);
  void finish(const std::string& name);  // everything of it ends now; runs its `gone`
  void let_go(Machine& machine);
  // ---- and what comes after a reboot
  void begin_reboot(Machine& machine, Duration takes);
  void kill_all(const std::string& name);  // that a reboot has not ended yet
  void start_again(const std::string& name);

  // ---- progress that a rule reads (process_host_progress.cpp)
  void watch_progress(Machine& machine);
  bool read_progress(Machine& machine);  // true when there was any
  void end_progress(Machine& machine);
  void follow_copies();
  void saved(const std::string& machine, const std::string& path, std::int64_t step,
             std::int64_t since);
  void skip_progress_of_others(int guest);  // that a file system which was just mounted has

  // ---- what goes wrong in machines (process_host_faults.cpp)
  void kill_for_memory(const Machine& machine, const std::string& program);
  void trouble_disks(Machine& machine, const GuestFault& fault);
  void make_room(Machine& machine);  // on volumes that are full by a fault
  void hide_code(Duration lasts);

  // ---- devices (process_host_disks.cpp)
  Machine* machine_of(int guest);
  RootDisk root_disk_of(const cloud::Instance& instance) const;
  std::filesystem::path device_path(const Machine& machine, const std::string& device) const;
  void release_when_unmounted(const std::string& name, const cloud::VolumeId& volume);
  void take_device(Machine& machine, const cloud::VolumeId& volume);
  Duration charge(int guest);
  bool lendable(int guest);
  Duration sync(int guest, int descriptor, int call);
  std::vector<dev_t> own_disks(const Machine& machine) const;
  std::optional<int> control(int guest, int descriptor, std::uint32_t request,
                             std::uint64_t argument);
  std::optional<int> mount(const Supervisor::MountCall& call);
  std::optional<int> unmount(int guest, pid_t task, const std::string& target);
  std::optional<Supervisor::PowerCut> watched(int guest, pid_t tid, int descriptor);
  void make_fifo(const Machine& machine, const std::filesystem::path& fifo);
  // On which disk a path of an instance's is, be it there or not yet: a volume's ID or "root".
  // Empty: it is gone, or no instance.
  std::string disk_of(const std::string& machine, const std::string& path) const;

  Simulation& simulation;
  EventLog& log;
  fakes::Server& server;
  const GuestConfig config;
  fakes::Backend* backend = nullptr;
  const base::Umask umask{022};  // what guests see of files that are made here
  RunFolder folder;
  const Streams streams;
  RandomServer random;
  bool random_files_are_real = false;  // and the user has been told
  DiskTimes disk_times;
  Disks disks;
  base::FileDescriptor news;  // epoll, of what machines tell; the supervisor's token comes with it
  SettingsWatch settings;
  std::vector<std::filesystem::path> setting_folders;
  NameServer name_server;
  Internet internet;
  Supervisor supervisor;
  PrivateNetwork network;
  std::string git_config;
  std::map<std::string, ImageLayers> images;
  ImageLayers other_image;
  std::map<std::string, ConsoleFile> consoles;  // by machine
  std::map<std::string, std::unique_ptr<Machine>> machines;
  std::map<int, Machine*> machine_of_guest;  // by the supervisor's token
  struct WatchedCut {
    FileCut cut;
    std::set<std::string> there;  // names in its folder, where it is for a file written again
  };
  std::map<cloud::InstanceId, std::vector<WatchedCut>> cuts;  // whichever comes first
  Time code_hidden_until = Time::min();
  bool watches_writes = false;  // of all instances
  ProgressMemory progress_memory;
  std::optional<CheckpointCopies> copies;  // from connect() on
};

}  // namespace sim::guest
