// The Elastigroup service: groups of spot instances that are replaced after an interruption, with
// their data volumes and addresses.
//
// The service is a customer of the cloud. It launches, attaches, copies and deletes through the
// functions that EC2's API has, and observes the cloud. Each reaction is a separate event, so the
// log has it after the line that caused it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/cloud/cloud.h"
#include "sim/elastigroup/group.h"
#include "sim/elastigroup/knobs.h"
#include "sim/events/event_log.h"
#include "sim/kernel/random.h"
#include "sim/kernel/simulation.h"

namespace sim::elastigroup {

class Elastigroups : public cloud::Observer {
 public:
  // The arguments outlive the object.
  Elastigroups(Simulation&, EventLog&, const Streams&, cloud::Cloud&);
  ~Elastigroups() override;

  void set_knobs(const Knobs& knobs) { knobs_ = knobs; }

  // ---- requests of the API. Functions that name a group or a stateful instance throw ApiError
  // GROUP_DOESNT_EXIST or STATEFUL_INSTANCE_DOESNT_EXIST if it does not exist.
  const Group& create(GroupSpec spec);
  const Group& group(const std::string& id) const;
  std::vector<const Group*> groups() const;  // in order of creation, without deleted groups
  // Running instances keep the settings of their launch; the new capacity has effect at once.
  const Group& update(const std::string& id, GroupSpec spec);
  // Terminates all instances; resources that are not deleted stay in the account.
  void remove(const std::string& id, const Deallocation& deallocation);
  // Throw ApiError INVALID_STATEFUL_STATE if the state does not allow the action.
  void pause(const std::string& group, const std::string& member);
  void resume(const std::string& group, const std::string& member);
  void recycle(const std::string& group, const std::string& member);
  void deallocate(const std::string& group, const std::string& member);

  // Whether a group wants instances, or still has instances to end.
  bool any_active() const;

  // ---- cloud::Observer
  void instance_state(const cloud::Instance&, std::optional<cloud::InstanceState> from) override;
  void noticed(const cloud::Instance&, const std::string& reason) override;
  void attachment_state(const cloud::Attachment&,
                        std::optional<cloud::AttachmentState> from) override;
  void volume_state(const cloud::Volume&, std::optional<cloud::VolumeState> from) override;
  void snapshot_state(const cloud::Snapshot&, std::optional<cloud::SnapshotState> from) override;

 private:
  struct Work;

  // ---- groups (elastigroups.cpp)
  Work& work_of(const std::string& group, const std::string& member);
  Group& own(const std::string& id);
  void reconcile(Group&);
  void add_member(Group&);
  void set_state(Work&, StatefulState to);
  void require(const Work&, std::initializer_list<StatefulState> states, const char* action) const;
  void note(Group&, const char* severity, const std::string& message,
            const std::string& resource = "", const char* event = "");
  void tell(const Group&, const char* change);
  std::string new_id(const char* prefix);

  // ---- instances (members.cpp) Makes the member take its next step, in a separate event.
  void wake(Work&);
  void advance(Work&);
  void start(Work&);
  bool may_launch(Work&);
  void launch(Work&);
  cloud::LaunchSpec launch_spec(const Work&) const;
  cloud::InstanceId launch_in_best_market(Work&, const std::string& only_zone);
  Duration retry_interval() const;
  void try_later(Work&);
  void revert_to_spot(Work&);
  void run(Work&);
  void replace(Work&, const char* why);
  void let_go(Work&);
  void stop(Work&, StatefulState in_progress);
  void stopped(Work&);
  // Calls EC2. If EC2 refuses the call, the group's log gets a line, and the result is false.
  bool attempt(Work&, const std::string& what, const std::function<void()>& call);

  // ---- volumes (volumes.cpp)
  bool attach_all(Work&);
  void put_aside(Work&);
  bool final_copies_made(Work&);
  void back_up(Work&);
  void drop_obsolete(Work&);
  void delete_kept(Work&);
  void track(Work&, const cloud::VolumeId&);
  bool is_pending(const cloud::SnapshotId&) const;

  // ---- root volumes (roots.cpp)
  static Device* root_of(Work&);  // null: no root is kept
  void make_root_image(Work&);
  static void keep_root(const Work&, cloud::LaunchSpec&);
  void drop_image(Work&, Device& root);
  void forget_root(Work&);

  // ---- attaching and detaching devices (volumes.cpp)
  void enter_device(Work&, const cloud::Attachment&);
  void leave_device(Work&, const cloud::Attachment&);

  Simulation& simulation_;
  EventLog& log_;
  cloud::Cloud& cloud_;
  Stream ids_;
  Knobs knobs_;
  std::map<std::string, std::unique_ptr<Group>> groups_;  // by ID
  std::vector<Group*> order_;
  std::map<std::string, std::unique_ptr<Work>> members_;  // by ID
  // The member of each present and former instance.
  std::map<cloud::InstanceId, Work*> of_instance_;
  std::map<cloud::VolumeId, Work*> of_volume_;
  std::map<cloud::SnapshotId, Work*> of_snapshot_;
};

}  // namespace sim::elastigroup
