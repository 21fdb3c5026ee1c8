// Models the user data of an instance in an Auto Scaling group or Elastigroup. The user data trains
// from the newest checkpoint, saves and stops on the notice, and deletes its group when training
// has finished. Scripts of this kind are scenarios/asg-mixed/user-data.sh and
// scenarios/elastigroup/user-data.sh.
#pragma once

#include <string>

#include "fakes/http/http.h"
#include "sim/cloud/resources.h"
#include "sim/guest/fiber/machine_model.h"
#include "sim/guest/fiber/operator_aws.h"
#include "sim/guest/fiber/program.h"
#include "sim/guest/fiber/trainer_model.h"

namespace sim::guest {

// True if a group launched the instance. Its tags name the group.
bool is_of_group(const cloud::Instance& instance);
// True if a tier of checkpoints is a volume.
bool needs_volume(const TrainerModel& trainer);
// True if the instance can have a data volume: launched with it, or attached by an Elastigroup.
bool may_have_volume(const cloud::Instance& instance);

class GroupGuest {
 public:
  // All references must outlive the guest.
  struct Surroundings {
    Simulation& simulation;
    Program& program;
    MachineModel& machine;
    OperatorAws& aws;
    const fakes::Handler& metadata;
    const TrainerModel& trainer;  // with a step_time
    const cloud::Instance& instance;
  };
  explicit GroupGuest(const Surroundings& surroundings) : world_(surroundings) {}

  // Runs inside the program's fiber. Returns the script's exit status: 0 if training finished or
  // was stopped, another one if the machine is of no further use.
  int run();

 private:
  int run_script();
  // Waits for the group's data volume, mounts it, and formats and fills a new one.
  bool mount_volume();
  // Reads the data from the object store if there is no volume.
  void download_data();
  int train();
  bool is_noticed();
  int delete_group();

  Surroundings world_;
};

}  // namespace sim::guest
