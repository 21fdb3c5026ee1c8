// The actions on a launched instance by the customer and by the instance itself.
#include "sim/cloud/parts/instances.h"

#include <fmt/format.h>

#include "sim/cloud/error.h"
#include "sim/cloud/parts/lookup.h"
#include "sim/cloud/parts/volumes.h"

namespace sim::cloud {

Instances::Instances(Context& context, Host& host, Tagging& tagging, Bill& bill,
                     const LaunchChecks& checks, SpotCapacity& capacity,
                     const LaunchTemplates& launch_templates, vpc::Network& network)
    : context_(context),
      host_(host),
      tagging_(tagging),
      bill_(bill),
      checks_(checks),
      capacity_(capacity),
      launch_templates_(launch_templates),
      network_(network) {
  tagging.add(
      {.id_prefix = "i-",
       .tags = [this](const std::string& id) -> Tags& { return own_shown(InstanceId{id}).tags; },
       .check = [this](
                    const std::string& id,
                    const Tags& tags) { check_metadata_tags(shown(InstanceId{id}).spec, tags); }});
}

const Instance& Instances::find(const InstanceId& id) const { return look_up(table_, id); }

Instance& Instances::own(const InstanceId& id) { return look_up(table_, id); }

// EC2 user guide, "Terminate your instance": it stays visible for about an hour.
bool Instances::shows(const Instance& instance) const {
  if (!instance.spec.managed_by.empty()) return false;
  return !instance.terminated_at ||
         context_.now() - *instance.terminated_at <= std::chrono::hours{1};
}

const Instance& Instances::shown(const InstanceId& id) const {
  const Instance& instance = find(id);
  if (!shows(instance)) throw not_found(id);
  return instance;
}

Instance& Instances::own_shown(const InstanceId& id) {
  shown(id);
  return own(id);
}

bool Instances::has_booted(const InstanceId& id) const { return look_up(work_, id).booted; }

void Instances::become_running(Instance& instance) {
  work_[instance.id].start.reset();
  if (!has_usable_keys(context_.config, instance.spec))
    return shut_down(
        instance, Shutdown::kHard,
        {"Client.InvalidKMSKey.InvalidState", "The KMS key provided is in an incorrect state"},
        Ended::kByEc2);
  instance.running_at = context_.now();
  context_.set_state(instance, InstanceState::kRunning);
  if (!instance.spec.managed_by.empty()) return boot(instance);
  notify(&InstanceListener::running, instance);
  work_[instance.id].start = context_.simulation.after(
      context_.draw(context_.config.durations.boot, "boot", instance.id.value),
      [this, &instance] { boot(instance); });
}

void Instances::boot(Instance& instance) {
  Work& work = work_[instance.id];
  work.start.reset();
  work.booted = work.has_system = true;
  context_.tell(&Observer::booted, instance);
  if (!instance.spec.managed_by.empty()) return;
  host_.boot(instance);
  notify(&InstanceListener::booted, instance);
}

void Instances::cancel_transitions(Instance& instance) {
  Work& work = work_[instance.id];
  context_.cancel(work.start);
  context_.cancel(work.price_watch);
  context_.cancel(work.interruption);
  end_maintenance(instance, MaintenanceState::kCanceled);
}

void Instances::set_reason(Instance& instance, const Reason& reason) {
  instance.state_reason_code = reason.code;
  instance.state_reason_message = reason.code + ": " + reason.message;
}

void Instances::shut_down(Instance& instance, Shutdown how, const Reason& reason, Ended ended) {
  SIM_CHECK(!instance.shutting_down_at);
  if (instance.state == InstanceState::kStopped) return terminate_stopped(instance, reason);
  Work& work = work_[instance.id];
  const bool stopping = instance.state == InstanceState::kStopping;
  if (instance.hibernated) how = Shutdown::kHard;  // no program can react
  cancel_transitions(instance);
  set_reason(instance, reason);
  instance.shutting_down_at = context_.now();
  context_.set_state(instance, InstanceState::kShuttingDown);
  // An instance that was stopping costs nothing more, unless it was to hibernate.
  bill_.settle(bill_.of(instance, stopping ? work.ended : ended));
  notify(&InstanceListener::shutting_down, instance, ended);

  context_.simulation.after(context_.draw(context_.config.durations.instance_shutdown,
                                          "instance-shutdown", instance.id.value),
                            [this, &instance, &work] {
                              work.shutdown_elapsed = true;
                              terminate_if_done(instance);
                            });
  host_.shut_down(instance, how, [this, &instance, &work] {
    work.machine_gone = true;
    notify(&InstanceListener::machine_gone, instance);
    terminate_if_done(instance);
  });

  notify(&InstanceListener::stopping_machine, instance);
  if (stopping)
    leave_group(instance);
  else
    give_back_capacity(instance);
}

// For an instance that has given back its capacity when it began to stop.
void Instances::leave_group(const Instance& instance) {
  network_.placement_groups.set_state(instance.id.value,
                                      vpc::PlacementGroups::Member::State::kEnding);
  capacity_.left_group(instance.spec);
}

void Instances::give_back_capacity(const Instance& instance) {
  using State = vpc::PlacementGroups::Member::State;
  network_.placement_groups.set_state(instance.id.value,
                                      is_stopped(instance) ? State::kStopped : State::kEnding);
  if (instance.lifecycle == Lifecycle::kSpot)
    capacity_.give_back(pool_of(instance.spec));
  else
    capacity_.give_back_on_demand(instance.spec);
}

void Instances::terminate_if_done(Instance& instance) {
  const Work& work = work_[instance.id];
  if (!work.machine_gone || !work.shutdown_elapsed || instance.terminated_at) return;
  instance.terminated_at = context_.now();
  context_.set_state(instance, InstanceState::kTerminated);
  bill_.settle(bill_.transfer_of(instance));
  network_.release(instance.id.value);
  notify(&InstanceListener::terminated, instance);
}

void Instances::terminate_by_user(const InstanceId& id) {
  Instance& instance = own(id);
  if (instance.shutting_down_at) return;
  shut_down(instance, Shutdown::kGraceful,
            {"Client.UserInitiatedShutdown", "User initiated shutdown"}, Ended::kByCustomer);
}

void Instances::terminate(const std::vector<InstanceId>& requested) {
  const auto ids = requested;  // `requested` may be a fleet's list, which shrinks below
  std::map<std::string, InstanceId> is_protected;  // by zone, the first named one
  for (const InstanceId& id : ids)
    if (const Instance& instance = shown(id); instance.disable_api_termination)
      is_protected.emplace(instance.spec.availability_zone, id);
  // A protected instance keeps all named instances of its zone (EC2 API reference,
  // TerminateInstances).
  for (const InstanceId& id : ids)
    if (!is_protected.contains(find(id).spec.availability_zone)) terminate_by_user(id);
  if (is_protected.empty()) return;
  throw ApiError("OperationNotPermitted",
                 "The instance '" + is_protected.begin()->second.value +
                     "' may not be terminated. Modify its 'disableApiTermination' instance "
                     "attribute and try again.");
}

void Instances::reboot(const std::vector<InstanceId>& ids) {
  for (const InstanceId& id : ids) shown(id);
  for (const InstanceId& id : ids)
    if (work_[id].booted && !find(id).shutting_down_at) {
      end_maintenance(own(id), MaintenanceState::kCompleted, MaintenanceCode::kInstanceReboot);
      restart(find(id), {});
    }
}

void Instances::restart(const Instance& instance, std::function<void()> at_rest) {
  const std::string stream_id =
      fmt::format("{}/{}", instance.id.value, ++work_[instance.id].reboots);
  host_.reboot(instance, context_.draw(context_.config.durations.boot, "boot", stream_id),
               std::move(at_rest));
}

void Instances::reboot_for(const InstanceId& id, std::function<void()> at_rest) {
  if (work_[id].booted) return restart(find(id), std::move(at_rest));
  context_.simulation.after({}, std::move(at_rest));
}

void Instances::set_disable_api_termination(const InstanceId& id, bool disabled) {
  Instance& instance = own_shown(id);
  if (disabled && instance.lifecycle == Lifecycle::kSpot)
    throw ApiError("UnsupportedOperation",
                   "You can't enable termination protection for Spot Instances.");
  instance.disable_api_termination = disabled;
  context_.tell(&Observer::changed);
}

void Instances::set_monitoring(const std::vector<InstanceId>& ids, bool detailed) {
  for (const InstanceId& id : ids) shown(id);  // all exist
  for (const InstanceId& id : ids) {
    Instance& instance = own(id);
    if (instance.spec.detailed_monitoring == detailed) continue;
    instance.spec.detailed_monitoring = detailed;
    context_.tell(&Observer::changed);
    context_.tell(&Observer::monitoring, instance);
  }
}

void Instances::set_shutdown_behavior(const InstanceId& id, bool stops_itself) {
  own_shown(id).spec.stops_itself = stops_itself;
  context_.tell(&Observer::changed);
}

Instance& Instances::stopped(const InstanceId& id) {
  Instance& instance = own_shown(id);
  if (instance.state != InstanceState::kStopped)
    throw ApiError("IncorrectInstanceState",
                   "The instance '" + id.value + "' is not in the 'stopped' state.");
  return instance;
}

// EC2 User Guide, "Amazon EC2 instance type changes", states the limits.
void Instances::set_instance_type(const InstanceId& id, const std::string& type) {
  LaunchSpec& spec = stopped(id).spec;
  if (!checks_.offers(type))
    throw ApiError("InvalidInstanceAttributeValue",
                   "Invalid value '" + type + "' for InstanceType.");
  if (find(id).lifecycle == Lifecycle::kSpot)
    throw ApiError("UnsupportedOperation",
                   "You can't change the instance type of a Spot Instance.");
  if (spec.hibernation)
    throw ApiError("UnsupportedOperation",
                   "You can't change the instance type if hibernation is enabled.");
  checks_.check_cluster(spec.placement_group, type);
  spec.instance_type = type;
  context_.tell(&Observer::changed);
}

void Instances::set_user_data(const InstanceId& id, const std::string& user_data) {
  LaunchChecks::check_user_data(user_data);
  stopped(id).spec.user_data = user_data;
  context_.tell(&Observer::changed);
}

void Instances::set_ebs_optimized(const InstanceId& id, bool optimized) {
  stopped(id).spec.ebs_optimized = optimized;
  context_.tell(&Observer::changed);
}

Instance& Instances::modifiable(const InstanceId& id) {
  Instance& instance = own_shown(id);
  if (instance.state == InstanceState::kTerminated)
    throw ApiError("IncorrectInstanceState",
                   "The instance '" + id.value +
                       "' is not in a state from which it can be modified: terminated");
  return instance;
}

void Instances::set_security_groups(const InstanceId& id, const std::vector<std::string>& ids) {
  Instance& instance = modifiable(id);
  const std::string vpc = network_.subnets.table.find(instance.spec.subnet_id).vpc;
  for (const std::string& group : ids) network_.groups.require(group, vpc);
  network_.interfaces.set_groups(id.value, ids);
  instance.spec.security_group_ids = ids;
  context_.tell(&Observer::changed);
}

void Instances::set_instance_profile(const InstanceId& id, const std::string& name_or_arn) {
  Instance& instance = modifiable(id);
  instance.spec.iam_instance_profile = name_or_arn;
  instance.instance_profile_set_at = context_.now();
  context_.tell(&Observer::changed);
}

void Instances::set_metadata_options(const InstanceId& id, const LaunchSpec& options) {
  LaunchSpec& spec = modifiable(id).spec;
  spec.imds_v2_required = options.imds_v2_required;
  spec.imds_tags = options.imds_tags;
  spec.imds_disabled = options.imds_disabled;
  spec.imds_hop_limit = options.imds_hop_limit;
  context_.tell(&Observer::changed);
}

void Instances::require_imds_v2(const InstanceId& id) {
  own(id).spec.imds_v2_required = true;
  context_.tell(&Observer::changed);
}

void Instances::power_off(const InstanceId& id, bool machine_gone) {
  Instance& instance = own(id);
  if (instance.shutting_down_at || instance.state == InstanceState::kStopping) return;
  const Reason reason{"Client.InstanceInitiatedShutdown", "Instance initiated shutdown"};
  if (instance.spec.stops_itself && !machine_gone)
    return begin_stop(instance, reason, Ended::kByCustomer);
  shut_down(instance, Shutdown::kGraceful, reason, Ended::kByCustomer);
}

void Instances::add_regional_bytes(const InstanceId& id, std::int64_t bytes) {
  Instance& instance = own(id);
  if (!instance.terminated_at) instance.regional_bytes += bytes;
}

Bill::Items Instances::open_items() const {
  Bill::Items items;
  const auto add = [&](Bill::Items more) {
    for (LineItem& item : more) items.push_back(std::move(item));
  };
  for (const InstanceId& id : launch_order_) {
    const Instance& instance = find(id);
    if (!instance.terminated_at) add(bill_.transfer_of(instance));
    const bool hibernates = instance.state == InstanceState::kStopping;
    const Ended ended = hibernates ? look_up(work_, id).ended : Ended::kByCustomer;
    if (!instance.shutting_down_at) add(bill_.of(instance, ended));  // none if stopped
  }
  return items;
}

}  // namespace sim::cloud
