// Models the orchestrator's Machine seam: mounted volumes, git, the job's own commands.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "orchestrator/seams/machine.h"
#include "sim/cloud/ids.h"
#include "sim/guest/fiber/job_places.h"
#include "sim/guest/fiber/modelled_trainer.h"
#include "sim/guest/fiber/program.h"
#include "sim/guest/fiber/volume_models.h"
#include "sim/guest/guest_fault.h"
#include "sim/kernel/random.h"

namespace sim::guest {

// One modelled machine of a fiber guest. FiberHost plugs volumes and applies faults; the
// orchestrator's code, which runs in a fiber, calls the Machine functions. Calls that take time on
// a real machine sleep in virtual time. A trainer is a ModelledTrainer, not a process.
class MachineModel : public spotrun::Machine {
 public:
  struct Surroundings {
    Simulation& simulation;
    EventLog& log;
    const TrainerModel& trainer;
    const std::set<std::string>& repositories;  // URLs that can be cloned
    bool every_poll = false;                    // also polls that find nothing
    cloud::Cloud& cloud;
    JobPlaces& places;  // of checkpoints
    const Streams& streams;
    const NextInterruption& next_interruption;
    // Ends the run, because the models cannot do what the job needs. Does not return.
    std::function<void(const std::string& what)> give_up;
  };
  MachineModel(Surroundings surroundings, std::string name, std::string instance_type,
               Time launched);

  // ---- what happens to the machine
  void plug(const cloud::VolumeId& id, const std::string& device, VolumeModel& volume);
  void unplug(const cloud::VolumeId& id);
  bool plugged(const cloud::VolumeId& id) const { return plugs_.contains(id); }
  bool mounted(const cloud::VolumeId& id) const;
  // Sets the program that uses the machine; called once, before the program runs.
  void connect(Program& program) { program_ = &program; }
  // The operating system sends SIGTERM to all programs.
  void ask_to_stop();
  // Applies a fault of the machine.
  void inflict(const GuestFault& fault);
  // How far its clock is ahead.
  Duration skew() const { return skew_->by; }
  // The first device of its data volumes ("/dev/xvdf"); empty if it has none.
  std::optional<std::string> data_device() const;
  // Writes the training data to the volume mounted there. False if they do not fit.
  bool put_data(const std::string& mount_point);
  // Starts a trainer for a program without a job file, like Machine's. A folder without a volume
  // serves tiers that need none.
  void start_trainer(Duration step_time, const std::string& folder);
  // Power off: no program runs after this.
  void stop() { trainer_.reset(); }

  // ---- spotrun::Machine
  std::optional<std::string> find_device(const std::string& device,
                                         const std::string& volume_id) override;
  spotrun::DeviceContent probe(const std::string& node) override;
  void format(const std::string& node, const std::string& filesystem) override;
  void mount(const std::string& node, const std::string& filesystem,
             const std::string& mount_point) override;
  void unmount(const std::string& mount_point) override;
  void make_folder(const std::string& path) override;
  void remove_folder(const std::string& path) override;
  bool exists(const std::string& path) override;
  void write_file(const std::string& path, const std::string& text) override;
  std::string local_path(const std::string& path) const override { return path; }
  spotrun::ExitStatus run(const spotrun::Command& command) override;
  void start_trainer(const spotrun::Command& command) override;
  void signal_trainer(int signal) override;
  std::string state_of(const std::string& folder) override;
  std::optional<spotrun::ExitStatus> wait_trainer(spotrun::Duration timeout,
                                                  spotrun::Time look) override;

 private:
  struct Plug {
    std::string node;  // "/dev/xvdf"
    VolumeModel* volume = nullptr;
    std::string mount_point;  // empty: it is not mounted
  };
  Plug& at_node(const std::string& node);
  void trouble_mounted(VolumeModel::Trouble trouble);
  void check_writable(const std::string& path);
  // The mounted volume that contains the path, and the rest of the path. Null: the machine's own
  // disk.
  Plug* find_mount(const std::string& path, std::string& rest);
  std::set<std::string>& files_of(const std::string& path, std::string& rest);
  spotrun::ExitStatus git(const spotrun::Command& command);
  spotrun::ExitStatus prepare(const spotrun::Command& command);
  // `volume` is null if no tier needs one.
  std::vector<CheckpointPlace*> places_with(VolumeModel* volume);
  std::optional<Duration> draw_crash();
  void saved();
  std::optional<spotrun::ExitStatus> take_exit();
  bool over() const { return trainer_->status() || program_->stop_asked(); }
  std::optional<spotrun::ExitStatus> wait_quietly(Duration timeout, std::optional<Time> asked);
  std::optional<spotrun::ExitStatus> wait_simply(Duration timeout);

  Surroundings world_;
  std::string name_, instance_type_;
  Time launched_;
  Program* program_ = nullptr;
  std::map<cloud::VolumeId, Plug> plugs_;
  std::set<std::string> own_files_;
  MachineMemory memory_;
  struct Skew {
    Duration by{};
    Time until = Time::min();  // end of the fault that lasts longest
  };
  std::shared_ptr<Skew> skew_ = std::make_shared<Skew>();
  bool watched_ = false;  // the program watches the trainer's folder
  int trainers_ = 0;      // number of trainers started
  std::optional<ModelledTrainer> trainer_;
};

}  // namespace sim::guest
