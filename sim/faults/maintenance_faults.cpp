// Faults that EC2 announces: events that it schedules for instances (EC2 user guide, "Scheduled
// events for Amazon EC2 instances"). A kind has the name of the event's code.
#include "sim/faults/kinds.h"

namespace sim::faults {
namespace of_maintenance {
namespace {

using cloud::MaintenanceCode;

template <MaintenanceCode Code>
void schedule(const Arguments& arguments, const Strike& strike, Targets& targets) {
  const cloud::Instance* const instance = struck_instance(arguments, strike, targets);
  if (!instance) return;
  cloud::MaintenanceEvent event{.code = Code,
                                .description = arguments.get<std::string>("description")};
  event.not_before = targets.simulation.now() + arguments.get<Duration>("notice");
  if (const auto& window = arguments.get<Duration>("window"); window > Duration{})
    event.not_after = event.not_before + window;
  targets.cloud.schedule_maintenance(instance->id, std::move(event));
  targets.guests.metadata_changed(instance->id);
}

constexpr Parameter kNotice{"notice", ArgumentType::kDuration, "15m", "",
                            "time until the event takes effect (`NotBefore`)"};
constexpr Parameter kWindow{"window", ArgumentType::kDuration, "1h", "",
                            "time from `NotBefore` to `NotAfter`; `0s`: the event has none"};
constexpr Parameter kNoWindow{"window", ArgumentType::kDuration, "0s", "", kWindow.meaning};

constexpr Parameter description(std::string_view text) {
  return {"description", ArgumentType::kText, text, "", "the event's text"};
}

constexpr Parameter kReboot[] = {kOneInstance, kNotice, kWindow, description("scheduled reboot")};
constexpr Parameter kMaintenance[] = {kOneInstance, kNotice, kWindow,
                                      description("scheduled maintenance")};
constexpr Parameter kRetirement[] = {kOneInstance, kNotice, kNoWindow,
                                     description("The instance is running on degraded hardware")};

constexpr Trial kRetirementTrials[] = {{Trial::At::kEvent, "trainer.start", ""}};

constexpr Kind kKinds[] = {
    {.name = "instance-retirement",
     .does = "EC2 schedules the retirement of an instance, and then stops it, or terminates a spot "
             "instance; the operating system is shut down first",
     .remedy =
         "reads events/maintenance/scheduled or DescribeInstanceStatus, saves before NotBefore, "
         "and starts a replacement",
     .parameters = kRetirement,
     .strike = schedule<MaintenanceCode::kInstanceRetirement>,
     .trials = kRetirementTrials},
    {.name = "instance-reboot",
     .does = "EC2 schedules a reboot of an instance; a reboot by the customer completes the event",
     .remedy =
         "starts at each boot of the instance (a systemd unit or cron's @reboot), and resumes "
         "from the newest whole checkpoint",
     .parameters = kReboot,
     .needs = guest::GuestFault::What::kReboot,
     .strike = schedule<MaintenanceCode::kInstanceReboot>},
    {.name = "system-reboot",
     .does = "EC2 schedules a reboot of an instance's host, which restarts the instance",
     .remedy =
         "starts at each boot of the instance (a systemd unit or cron's @reboot), and resumes "
         "from the newest whole checkpoint",
     .parameters = kReboot,
     .needs = guest::GuestFault::What::kReboot,
     .strike = schedule<MaintenanceCode::kSystemReboot>},
    {.name = "system-maintenance",
     .does = "EC2 schedules maintenance of an instance's network or power; nothing else happens",
     .remedy = "continues to train, since the instance keeps running",
     .parameters = kMaintenance,
     .strike = schedule<MaintenanceCode::kSystemMaintenance>},
};

}  // namespace
}  // namespace of_maintenance

std::span<const Kind> maintenance_faults() { return of_maintenance::kKinds; }

}  // namespace sim::faults
