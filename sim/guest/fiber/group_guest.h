// What an instance of an Auto Scaling group or of an Elastigroup does, as a model of user data: it
// trains from the newest checkpoint, saves and stops on the notice, and deletes its group when the
// training has finished. scenarios/asg-mixed/user-data.sh and scenarios/elastigroup/user-data.sh
// are such scripts.
#pragma once

#include <string>

#include "fakes/http/http.h"
#include "sim/cloud/resources.h"
#include "sim/guest/fiber/machine_model.h"
#include "sim/guest/fiber/operator_aws.h"
#include "sim/guest/fiber/program.h"
#include "sim/guest/fiber/trainer_model.h"

namespace sim::guest {

// Whether a group launched the instance: its tags name the group.
bool is_of_group(const cloud::Instance& instance);
// Whether a checkpoint is kept on a volume.
bool needs_volume(const TrainerModel& trainer);
// Whether the instance can get a data volume: launched with it, or attached by an Elastigroup.
bool may_have_volume(const cloud::Instance& instance);

class GroupGuest {
 public:
  // All outlive it.
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

  // From inside the program's fiber. The script's exit status: 0 when the training has finished or
  // was stopped; another one where the machine is of no further use.
  int run();

 private:
  int run_script();
  // The group's data volume, once it is there: formatted and filled when it is new.
  bool mount_volume();
  // From the object store, when there is no volume.
  void download_data();
  int train();
  bool is_noticed();
  int delete_group();

  Surroundings world_;
};

}  // namespace sim::guest
