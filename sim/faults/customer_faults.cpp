// Faults by EC2's own actions: somebody stops, terminates or reboots an instance of the job.
#include "sim/cloud/error.h"
#include "sim/faults/kinds.h"
#include "sim/faults/ongoing_faults.h"

namespace sim::faults {
namespace of_customers {
namespace {

void terminate(const Arguments& arguments, const Strike& strike, Targets& targets) {
  if (const cloud::Instance* const instance = struck_instance(arguments, strike, targets))
    targets.cloud.terminate_instances({instance->id});
}

void reboot(const Arguments& arguments, const Strike& strike, Targets& targets) {
  if (const cloud::Instance* const instance = struck_instance(arguments, strike, targets))
    targets.cloud.reboot_instances({instance->id});
}

struct StoppedInstance {
  Simulation& simulation;
  cloud::Cloud& cloud;
  OngoingFaults& ongoing;
  cloud::InstanceId id;
  std::int64_t fault;  // which stopped it
};

// The instance stays stopped if EC2 refuses to start it, for example without spot capacity.
void start_again(const StoppedInstance& stopped) {
  const auto state = stopped.cloud.instance(stopped.id).state;
  if (state == cloud::InstanceState::kStopping)
    return void(
        stopped.simulation.after(std::chrono::seconds{5}, [stopped] { start_again(stopped); }));
  auto& due = stopped.ongoing.starts_due;
  if (const auto own = due.find(stopped.id); own != due.end()) due.erase(own);
  try {
    stopped.cloud.start_instances({stopped.id});
  } catch (const cloud::ApiError& refusal) {
    stopped.ongoing.cannot_undo(stopped.fault, refusal.what());
  }
}

void stop(const Arguments& arguments, const Strike& strike, Targets& targets) {
  const cloud::Instance* const instance = struck_instance(arguments, strike, targets);
  if (!instance) return;
  const cloud::InstanceId id = instance->id;
  targets.cloud.stop_instances({id});
  const auto* const lasts = arguments.find<Duration>("for");
  if (!lasts) return;
  targets.ongoing.starts_due.insert(id);
  targets.ongoing.end_after(
      *lasts, [stopped = StoppedInstance{targets.simulation, targets.cloud, targets.ongoing, id,
                                         targets.ongoing.fault()}] { start_again(stopped); });
}

constexpr Parameter kInstanceOnly[] = {kOneInstance};
constexpr Parameter kStop[] = {kOneInstance,
                               {"for", ArgumentType::kDuration, "", "",
                                "time until the instance starts again; by default it stays "
                                "stopped"}};

// Between two saves, during and after a save, and before the script has reported the end.
constexpr Trial kEndTrials[] = {{Trial::At::kEvent, "trainer.start", ""},
                                {Trial::At::kEvent, "trainer.checkpoint-begin", ""},
                                {Trial::At::kEvent, "trainer.checkpoint-written", ""},
                                {Trial::At::kEvent, "trainer.finished", ""}};

// A stopped instance that nobody starts shows nothing: its job may wait. Fiber guests run no
// program when the instance starts again.
constexpr auto kBoots = guest::GuestFault::What::kReboot;
constexpr Trial kStopTrials[] = {
    {Trial::At::kEvent, "trainer.start", "for: 10m", kBoots},
    {Trial::At::kEvent, "trainer.checkpoint-written", "for: 10m", kBoots},
    {Trial::At::kEvent, "trainer.finished", "for: 10m", kBoots}};

// Not during the boot: user data that is killed before it has arranged for the next boot never runs
// again, whatever its script is like.
constexpr Trial kRebootTrials[] = {{Trial::At::kEvent, "trainer.start", ""},
                                   {Trial::At::kEvent, "trainer.checkpoint-written", ""},
                                   {Trial::At::kEvent, "trainer.finished", ""}};

constexpr Kind kKinds[] = {
    {.name = "terminate",
     .does = "somebody terminates an instance, as by TerminateInstances: its operating system is "
             "shut down first",
     .remedy = "saves when the operating system stops it (SIGTERM), and starts a replacement for "
               "each instance that ends",
     .parameters = kInstanceOnly,
     .strike = terminate,
     .trials = kEndTrials},
    {.name = "stop",
     .does = "somebody stops an instance, as by StopInstances; EC2 refuses this for a spot "
             "instance whose request is not persistent",
     .remedy = "saves when the operating system stops it (SIGTERM), and resumes from the newest "
               "whole checkpoint at each boot of the instance",
     .parameters = kStop,
     .passes = false,
     .target = Target::kStoppableInstance,
     .strike = stop,
     .trials = kStopTrials,
     .elsewhere = "for: 10m"},
    {.name = "reboot",
     .does = "somebody reboots an instance, as by RebootInstances",
     .remedy = "starts at each boot of the instance (a systemd unit or cron's @reboot), and "
               "resumes from the newest whole checkpoint",
     .parameters = kInstanceOnly,
     .needs = guest::GuestFault::What::kReboot,
     .strike = reboot,
     .trials = kRebootTrials},
};

}  // namespace
}  // namespace of_customers

std::span<const Kind> customer_faults() { return of_customers::kKinds; }

}  // namespace sim::faults
