// The API's requests about groups, and the steps that bring a group to its target.
#include "sim/elastigroup/elastigroups.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/elastigroup/work.h"
#include "sim/events/event.h"
#include "sim/kernel/check.h"

namespace sim::elastigroup {
namespace {

using cloud::ApiError;
using enum StatefulState;

// Whether a member counts for the target. The vendor does not document whether a paused stateful
// instance does: here it does not, and pausing one lowers the target.
bool counts(const Member& member) {
  static constexpr StatefulState kOut[] = {kPause,      kPausing,      kPaused,
                                           kDeallocate, kDeallocating, kDeallocated};
  return std::ranges::find(kOut, member.state) == std::end(kOut);
}

int counted(const Group& group) {
  return static_cast<int>(
      std::ranges::count_if(group.members, [](const Member* one) { return counts(*one); }));
}

// The number of the target's instances that are on-demand. The vendor does not document how it
// rounds.
int on_demand_members(const GroupSpec& spec) {
  return spec.on_demand_count.value_or(spec.capacity.target * (100 - spec.risk) / 100);
}

void set_target(Group& group, int target) {
  group.spec.capacity.target = std::max(0, target);
  group.spec.document["capacity"]["target"] = group.spec.capacity.target;
}

}  // namespace

Elastigroups::Elastigroups(Simulation& simulation, EventLog& log, const Streams& streams,
                           cloud::Cloud& cloud)
    : simulation_(simulation), log_(log), cloud_(cloud), ids_(streams.stream("elastigroup-id")) {}

Elastigroups::~Elastigroups() = default;

std::string Elastigroups::new_id(const char* prefix) {
  return fmt::format("{}{:08x}", prefix, ids_.next() & 0xffff'ffff);
}

void Elastigroups::note(Group& group, const char* severity, const std::string& message,
                        const std::string& resource, const char* event) {
  group.log.push_back({simulation_.now(), severity, message, resource, event});
  log_.append(events::ElastigroupLog{
      .time = simulation_.now(), .group_id = group.id, .severity = severity, .message = message});
}

void Elastigroups::tell(const Group& group, const char* change) {
  log_.append(events::ElastigroupGroup{.time = simulation_.now(),
                                       .group_id = group.id,
                                       .change = change,
                                       .name = group.spec.name,
                                       .target = group.spec.capacity.target});
}

void Elastigroups::set_state(Work& work, StatefulState to) {
  Member& member = work.member;
  const bool is_new = !std::exchange(work.announced, true);
  const std::string_view from = is_new ? "" : name(member.state);
  SIM_CHECK(allowed(from, name(to)));
  member.state = to;
  if (!work.persistence().any()) return;
  log_.append(events::ElastigroupInstance{.time = simulation_.now(),
                                          .stateful_instance_id = member.id,
                                          .group_id = work.group->id,
                                          .from = from,
                                          .to = name(to),
                                          .instance_id = member.instance.value});
}

Group& Elastigroups::own(const std::string& id) {
  const auto found = groups_.find(id);
  if (found == groups_.end() || found->second->deleted)
    throw ApiError("GROUP_DOESNT_EXIST", "Group " + id + " does not exist.");
  return *found->second;
}

Elastigroups::Work& Elastigroups::work_of(const std::string& group, const std::string& id) {
  const Group& its = own(group);
  const auto found = members_.find(id);
  if (found == members_.end() || found->second->group != &its || !its.spec.persistence.any() ||
      found->second->is_in(kDeallocated))
    throw ApiError("STATEFUL_INSTANCE_DOESNT_EXIST",
                   fmt::format("Stateful instance {} does not exist in group {}.", id, group));
  return *found->second;
}

// ---- requests of the API

const Group& Elastigroups::create(GroupSpec spec) {
  if (groups_.empty()) cloud_.observe(*this);  // after the log, which observes since the start
  std::string id = new_id("sig-");
  auto& group = groups_[id] = std::make_unique<Group>();
  group->id = std::move(id);
  group->spec = std::move(spec);
  group->created_at = group->updated_at = simulation_.now();
  order_.push_back(group.get());
  tell(*group, "created");
  note(*group, "INFO", "Group " + group->id + " successfully created.", "", "Create");
  reconcile(*group);
  return *group;
}

const Group& Elastigroups::group(const std::string& id) const {
  return const_cast<Elastigroups*>(this)->own(id);
}

std::vector<const Group*> Elastigroups::groups() const {
  std::vector<const Group*> shown;
  for (const Group* group : order_)
    if (!group->deleted) shown.push_back(group);
  return shown;
}

const Group& Elastigroups::update(const std::string& id, GroupSpec spec) {
  Group& group = own(id);
  group.spec = std::move(spec);
  group.updated_at = simulation_.now();
  tell(group, "updated");
  note(group, "INFO", "Group " + group.id + " successfully updated.", "", "Update");
  reconcile(group);
  return group;
}

void Elastigroups::remove(const std::string& id, const Deallocation& deallocation) {
  Group& group = own(id);
  group.deleted = true;
  group.spec.capacity = {};
  tell(group, "deleted");
  const std::vector<Member*> members = group.members;  // a copy: members leave the group's list
  for (const Member* member : members) {
    Work& work = *members_.at(member->id);
    if (work.is_in(kDeallocate) || work.is_in(kDeallocating)) continue;
    work.member.deallocation = deallocation;
    work.drains = false;
    set_state(work, kDeallocate);
    wake(work);
  }
}

void Elastigroups::require(const Work& work, std::initializer_list<StatefulState> states,
                           const char* action) const {
  if (std::ranges::find(states, work.member.state) != states.end()) return;
  std::string expected;
  for (const StatefulState state : states)
    expected += (expected.empty() ? "" : " or ") + std::string(name(state));
  throw ApiError("INVALID_STATEFUL_STATE",
                 fmt::format("Cannot {} stateful instance {}: it is {}, expected {}.", action,
                             work.member.id, name(work.member.state), expected));
}

void Elastigroups::pause(const std::string& group, const std::string& member) {
  Work& work = work_of(group, member);
  require(work, {kActive}, "pause");
  set_target(*work.group, work.group->spec.capacity.target - 1);
  set_state(work, kPause);
  wake(work);
}

void Elastigroups::resume(const std::string& group, const std::string& member) {
  Work& work = work_of(group, member);
  require(work, {kPaused}, "resume");
  Capacity& capacity = work.group->spec.capacity;
  if (capacity.target >= capacity.maximum)
    throw ApiError("MAXIMUM_CAPACITY_REACHED",
                   fmt::format("Cannot resume stateful instance {}: group {} has its maximum of {} "
                               "instances.",
                               member, group, capacity.maximum));
  set_target(*work.group, capacity.target + 1);
  set_state(work, kResume);
  wake(work);
}

void Elastigroups::recycle(const std::string& group, const std::string& member) {
  Work& work = work_of(group, member);
  require(work, {kActive}, "recycle");
  work.member.after_end = true;
  set_state(work, kRecycle);
  wake(work);
}

// The vendor's API reference: "delete all the resources associated with the instance (network
// interface, snapshots, volumes)".
void Elastigroups::deallocate(const std::string& group, const std::string& member) {
  Work& work = work_of(group, member);
  require(work, {kActive, kPaused, kError}, "deallocate");
  if (counts(work.member)) set_target(*work.group, work.group->spec.capacity.target - 1);
  work.member.deallocation = {.images = true, .volumes = true, .snapshots = true};
  set_state(work, kDeallocate);
  wake(work);
}

bool Elastigroups::any_active() const {
  return std::ranges::any_of(order_, [](const Group* group) {
    return (!group->deleted && group->spec.capacity.target > 0) ||
           std::ranges::any_of(group->members, [](const Member* member) {
             return member->state != kPaused && member->state != kError;
           });
  });
}

// ---- the target

void Elastigroups::add_member(Group& group) {
  const auto on_demand = std::ranges::count_if(
      group.members, [](const Member* one) { return counts(*one) && one->on_demand; });
  auto work = std::make_unique<Work>();
  work->group = &group;
  Member& member = work->member;
  member.id = new_id("ssi-");
  member.created_at = simulation_.now();
  member.on_demand = on_demand < on_demand_members(group.spec);
  group.members.push_back(&member);
  Work& kept = *(members_[member.id] = std::move(work));
  set_state(kept, kResume);
  wake(kept);
}

// Brings the group to its target: paused stateful instances are resumed before new ones are made,
// and the newest go first. The vendor does not document what a lower target does to a stateful
// instance: here it is paused, so that its data stay.
void Elastigroups::reconcile(Group& group) {
  const bool stateful = group.spec.persistence.any();
  for (Member* member : std::vector(group.members)) {
    if (counted(group) >= group.spec.capacity.target) break;
    if (member->state != kPaused) continue;
    Work& work = *members_.at(member->id);
    set_state(work, kResume);
    wake(work);
  }
  while (counted(group) < group.spec.capacity.target) add_member(group);
  for (std::size_t i = group.members.size();
       i-- > 0 && counted(group) > group.spec.capacity.target;) {
    if (!counts(*group.members[i])) continue;
    Work& work = *members_.at(group.members[i]->id);
    work.drains = true;
    set_state(work, stateful ? kPause : kDeallocate);
    wake(work);
  }
}

}  // namespace sim::elastigroup
