// Auto Scaling groups: how many instances there should be, which of them are healthy, and when each
// is launched and terminated. The model launches and terminates instances of the cloud as an
// account does, and observes their states as a cloud::Observer.
//
// Each public function changes a setting or an instance and then lets the group settle: unhealthy
// instances are terminated, missing instances are launched, surplus instances are terminated
// (settle.cpp). Errors are ApiErrors with AWS's codes: ValidationError, AlreadyExists,
// ResourceInUse, ScalingActivityInProgress, LimitExceeded.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/autoscaling/allocation.h"
#include "sim/autoscaling/group.h"
#include "sim/cloud/cloud.h"
#include "sim/events/event_log.h"
#include "sim/kernel/random.h"
#include "sim/kernel/simulation.h"

namespace sim::autoscaling {

// How long Auto Scaling waits, in addition to the cloud's durations. AWS does not publish these
// times, so all of them are assumptions (docs/auto-scaling.md).
struct Timing {
  // From the first failed launch to the next attempt. Each further pause is twice as long.
  Duration first_pause = std::chrono::seconds{20};
  Duration longest_pause = std::chrono::minutes{10};
  Duration zone_look = std::chrono::minutes{5};  // between two checks of unbalanced zones
};

// Quotas of an account (EC2 Auto Scaling User Guide, "Quotas").
inline constexpr int kMostConfigurations = 200, kMostGroups = 500;

// Whether the group's desired capacity is reduced with the instance, or the instance is replaced.
enum class Desired { kKept, kDecremented };
enum class Force { kNo, kYes };
enum class Cooldown { kIgnored, kHonored };
enum class GracePeriod { kIgnored, kRespected };
enum class Health { kHealthy, kUnhealthy };
enum class Protection { kOff, kOn };

// Is called after each change, when the records show it.
class GroupObserver {
 public:
  virtual ~GroupObserver() = default;
  // A member has taken a step of its lifecycle.
  virtual void lifecycle_state(const Group&, const Member&) {}
  // A scaling activity begins or ends.
  virtual void activity(const Activity&) {}
};

// All launch configurations and groups of the account. fakes/autoscaling parses requests and calls
// this class. The files next to this header each implement one part: calls on instances, hooks,
// schedules, settling, and the states of members.
class Groups : public cloud::Observer {
 public:
  // All references must outlive the groups.
  Groups(Simulation&, EventLog&, const Streams&, cloud::Cloud&);
  ~Groups() override;

  // Adds an observer, which must outlive this object's last change.
  void observe(GroupObserver& observer) { observers_.push_back(&observer); }

  // ---- launch configurations
  void create_launch_configuration(const std::string& name, LaunchRequest, std::any asked);
  void delete_launch_configuration(const std::string& name);
  const LaunchConfiguration& launch_configuration(const std::string& name) const;
  const std::map<std::string, LaunchConfiguration>& launch_configurations() const {
    return configurations_;
  }

  // ---- groups
  void create(const std::string& name, Settings, GroupTags, const std::vector<Hook>&);
  void update(const std::string& name, Settings);
  void remove(const std::string& name, Force);
  void set_desired(const std::string& name, int desired, Cooldown);
  const Group& group(const std::string& name) const;
  std::vector<const Group*> groups() const;  // sorted by name
  // The group that an instance belongs to, or null.
  const Group* group_of(const cloud::InstanceId&) const;
  void suspend(const std::string& name, const std::vector<std::string>& processes);
  void resume(const std::string& name, const std::vector<std::string>& processes);
  void put_tag(const std::string& name, const std::string& key, const GroupTag&);
  void delete_tag(const std::string& name, const std::string& key);

  // ---- instances (calls.cpp)
  std::size_t terminate(const cloud::InstanceId&, Desired);  // returns the number of its activity
  void set_health(const cloud::InstanceId&, Health, GracePeriod);
  void set_protection(const std::string& name, const std::vector<cloud::InstanceId>&, Protection);
  using Numbers = std::vector<std::size_t>;
  void attach(const std::string& name, const std::vector<cloud::InstanceId>&);
  Numbers detach(const std::string& name, const std::vector<cloud::InstanceId>&, Desired);
  Numbers enter_standby(const std::string& name, const std::vector<cloud::InstanceId>&, Desired);
  Numbers exit_standby(const std::string& name, const std::vector<cloud::InstanceId>&);

  // ---- lifecycle hooks (hooks.cpp). A token, an instance or both identify an action
  void put_hook(const std::string& name, const Hook&);
  void delete_hook(const std::string& name, const std::string& hook);
  void heartbeat(const std::string& name, const std::string& hook, const std::string& token,
                 const cloud::InstanceId&);
  void complete(const std::string& name, const std::string& hook, const std::string& token,
                const cloud::InstanceId&, Hook::Result);

  // ---- scheduled actions (schedule.cpp)
  void put_schedule(const std::string& name, ScheduledAction);
  void delete_schedule(const std::string& name, const std::string& action);

  // All activities, oldest first. Activities of deleted groups are included.
  const std::deque<Activity>& activities() const { return activities_; }
  // Whether a group may still launch an instance if no further call is made.
  bool any_may_launch() const;

  // ---- cloud::Observer
  void instance_state(const cloud::Instance&, std::optional<cloud::InstanceState> from) override;
  void rebalance_recommended(const cloud::Instance&) override;
  void noticed(const cloud::Instance&, const std::string& reason) override;

 private:
  struct Work;

  Work& own(const std::string& name);
  const Work& own(const std::string& name) const;
  // Throws ScalingActivityInProgress if the group is being deleted.
  Work& changeable(const std::string& name);
  Member& member(Work&, const cloud::InstanceId&);
  Work* work_of(const cloud::InstanceId&);
  void changed(Work&, const std::string& what);  // logs the group
  void advance(Work&, Member&, LifecycleState to);
  std::string unique(const char* what);  // returns a UUID
  // Stores what changed the group's capacity, for the causes of the following activities.
  void because(Work&, const std::string& text);

  // ---- activities (activities.cpp)
  Activity& begin(Work&, Member*, const std::string& description, const std::string& cause);
  void finish(Activity&, ActivityStatus, const std::string& message = "");
  void log(const Activity&);
  Activity& activity_of(const Member& member) { return activities_.at(member.activity); }

  // ---- settle.cpp
  void settle_after(Work&, Duration);
  void settle_soon(Work&);  // after the reaction time
  void settle(Work&);
  void retire_unhealthy(Work&);
  void replace_at_risk(Work&);
  void grow(Work&);
  void shrink(Work&);
  void balance_zones(Work&);
  void delete_when_empty(Work&);
  // Returns false if nothing could be launched. The group then tries again later.
  bool launch(Work&, const std::string& cause, const std::string& only_zone = "");
  cloud::InstanceId start(const Candidate&, const Group&);
  Member& enter(Work&, const Candidate&, const cloud::InstanceId&);
  void log_entry(Work&, const Member&);
  void pause_launches(Work&);  // after a failure
  void fail_launch(Work&, const std::string& cause, const std::string& message);

  // ---- members.cpp
  // These steps are scheduled. When they run, the group or the instance may not exist any more.
  using Step = void (Groups::*)(Work&, Member&);
  void later(const cloud::InstanceId&, Duration, Step);
  Duration until_health_check(const cloud::InstanceId&) const;
  void is_running(Work&, Member&);
  void is_gone(Work&, Member&);
  void check_health(Work&, Member&);
  void enter_service(Work&, Member&);
  // Terminates an instance. Its terminating hooks run first, unless it has already shut down.
  std::size_t retire(Work&, Member&, const std::string& cause);
  void end(Work&, Member&);
  void forget(Work&, const cloud::InstanceId&);
  void tag_attached(const Group&, const cloud::InstanceId&);
  Activity& move(Work&, Member&, const std::string& description, const std::string& cause);

  // ---- hooks.cpp
  bool begin_actions(Work&, Member&, Hook::Transition);  // false: no such hook
  void conclude(Work&, Member&, const std::string& hook, Hook::Result, const std::string& how);
  void cancel_actions(Member&);
  void watch(Work&, Member&, const std::string& hook);  // schedules the hook's heartbeat timeout
  Member& waiting(Work&, const std::string& hook, const std::string& token,
                  const cloud::InstanceId&);

  // ---- schedule.cpp
  void arm(Work&, const std::string& action, Time after);
  void run_action(Work&, const std::string& action);

  Simulation& simulation_;
  EventLog& log_;
  const Streams& streams_;
  cloud::Cloud& cloud_;
  Timing timing_;
  bool observes_ = false;
  std::vector<GroupObserver*> observers_;
  std::uint64_t made_ = 0;  // number of IDs made so far
  std::map<std::string, LaunchConfiguration> configurations_;
  std::map<std::string, std::unique_ptr<Work>> groups_;
  std::map<cloud::InstanceId, std::string> of_instance_;
  std::deque<Activity> activities_;
};

}  // namespace sim::autoscaling
