// Implements the cloud's Host with fibers. The orchestrator's own library runs over models of
// machine, volume and trainer. It uses the same cloud and the same fakes as real programs.
// docs/fiber-guest.md lists what the models omit.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "sim/guest/fiber/known_jobs.h"
#include "sim/guest/fiber/operator_plan.h"
#include "sim/guest/fiber/seams.h"
#include "sim/guest/fiber/spot_watch.h"
#include "sim/guest/fiber/trainer_model.h"
#include "sim/guest/guest_host.h"

namespace sim::guest {

// Shared by all runs of a scenario, which only read it.
struct FiberConfig {
  TrainerModel trainer;
  OperatorPlan plan;                   // of the script passed to run_operator()
  KnownJobs jobs;                      // job files that the plan's commands name
  std::set<std::string> repositories;  // URLs that instances can clone
  std::set<std::string> images;        // images that containers can have
  Duration os_grace{};                 // SIGTERM → end when an instance shuts down
};

// The options of one run.
struct FiberOptions {
  bool every_poll = false;  // also polls that find nothing
  bool check_wire = false;  // wire_check.h; a difference ends the run
  Console console;
  NextInterruption next_interruption;  // only for trainers with an oracle
};

// The scenario needs something that the models cannot do.
struct CannotModel : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class FiberHost : public GuestHost {
 public:
  FiberHost(Simulation& simulation, EventLog& log, const Streams& streams,
            std::shared_ptr<const FiberConfig> config, FiberOptions options);
  ~FiberHost() override;

  void connect(fakes::Backend& backend) override;
  void run_operator(const std::string& script, const std::filesystem::path& folder,
                    std::function<void(int status)> exited) override;
  // Throws CannotModel.
  bool run(const std::function<bool()>& done) override;
  static bool able(GuestFault::What what) {
    return what != GuestFault::What::kTornWrite && what != GuestFault::What::kDamageVolume &&
           what != GuestFault::What::kReboot;
  }
  bool can(GuestFault::What what) const override { return able(what); }
  void inflict(const cloud::InstanceId&, const GuestFault&) override;
  void metadata_changed(const cloud::InstanceId&) override;
  void descriptions_changed() override;

  void boot(const cloud::Instance&) override;
  // Nothing runs on an instance that starts again: its user data runs once.
  void halt(const cloud::Instance& instance, cloud::Shutdown how,
            std::function<void()> at_rest) override {
    shut_down(instance, how, std::move(at_rest));
  }
  // Ends the run with CannotModel if a program runs: no model keeps its state.
  void hibernate(const cloud::Instance&, std::function<void()> at_rest) override;
  void shut_down(const cloud::Instance&, cloud::Shutdown, std::function<void()> gone) override;
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
