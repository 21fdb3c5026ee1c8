// The EC2 actions that the orchestrator uses, as functions of plain data. All throw ApiError and
// NoCredentials.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/aws/client.h"

namespace spotrun::aws {

using Tags = std::map<std::string, std::string>;

struct Attachment {
  std::string instance_id, device;
  std::string state;  // attaching, attached, detaching, busy
};

struct Volume {
  std::string id, availability_zone, type;
  std::string state;  // creating, available, in-use, deleting, error
  int size_gib = 0, iops = 0;
  std::string snapshot_id;  // its source; empty: the volume was blank
  Time created{};
  Tags tags;
  std::vector<Attachment> attachments;
  std::string tag(const std::string& key) const;  // "" if it has no such tag
};

struct Snapshot {
  std::string id, volume_id;
  std::string state;       // pending, completed, error
  std::string progress;    // "42%"
  std::string start_time;  // "2019-11-05T10:00:00.000Z"
  Tags tags;
  std::string tag(const std::string& key) const;  // "" if it has no such tag
};

struct Instance {
  std::string id, instance_type, availability_zone;
  std::string state;            // pending, running, shutting-down, terminated, stopping, stopped
  std::string spot_request_id;  // empty: on demand
  Time launched{};
  Tags tags;
  bool is_stopped() const { return state == "stopping" || state == "stopped"; }
};

struct Filter {
  std::string name;
  std::vector<std::string> values;
};

struct NewVolume {
  std::string availability_zone, type;
  int size_gib = 0, iops = 0;  // 0: the snapshot's size, the type's IOPS
  std::string snapshot_id;     // empty: a blank volume
  Tags tags;
};

struct NewInstance {
  std::string image_id, instance_type, user_data;
  std::string availability_zone;     // empty: the subnet's zone, or EC2's choice
  std::string iam_instance_profile;  // a name or an ARN
  std::string key_name, subnet_id;
  std::vector<std::string> security_group_ids;
  std::string max_price;  // for a one-time spot instance, USD an hour; empty: on demand
  // The client token. Requests with the same token launch one instance. Empty: a new token.
  std::string client_token;
  Tags tags;
};

// The present spot price in a zone.
struct SpotPrice {
  std::string instance_type, availability_zone;
  double dollars = 0;  // an hour
};

// Whether RunInstances was refused for lack of capacity. For spot this includes a price that is too
// low and the account's limit.
bool is_out_of_capacity(const ApiError& error);

// Typed calls of EC2's actions. Each function makes one request, or several for a list in pages.
class Ec2 {
 public:
  explicit Ec2(Client& client) : client_(client) {}

  std::vector<Volume> describe_volumes(const std::vector<Filter>& filters);
  // Returns empty if the volume does not exist (any more).
  std::optional<Volume> find_volume(const std::string& id);
  Volume create_volume(const NewVolume& volume);
  void attach_volume(const std::string& id, const std::string& instance_id,
                     const std::string& device);
  void detach_volume(const std::string& id, const std::string& instance_id);
  // It is no error if the volume does not exist any more.
  void delete_volume(const std::string& id);

  std::vector<Snapshot> describe_snapshots(const std::vector<Filter>& filters);
  Snapshot create_snapshot(const std::string& volume_id, const std::string& description,
                           const Tags& tags);
  void delete_snapshot(const std::string& id);  // like delete_volume

  // `until` is as for Client::call.
  void create_tags(const std::string& resource_id, const Tags& tags, Time until = Time::max());
  void delete_tags(const std::string& resource_id, const std::vector<std::string>& keys);

  std::vector<Instance> describe_instances(const std::vector<Filter>& filters);
  std::optional<Instance> find_instance(const std::string& id);
  std::string run_instance(const NewInstance& instance);  // returns its ID
  // Terminates the instance. If an instance that was run by run_instance() powers off, it
  // terminates, too, because it is launched with that option.
  void terminate_instance(const std::string& id);

  // Linux prices of those types that a zone has. Each zone occurs once.
  std::vector<SpotPrice> spot_prices(const std::vector<std::string>& instance_types, Time now);
  // The status code of a spot instance request, such as "fulfilled" or "marked-for-termination".
  // Empty if the request does not exist.
  std::string spot_request_status(const std::string& id);
  void cancel_spot_request(const std::string& id);
  // `data` is a LaunchTemplateData. Returns false if a template of this name exists.
  bool create_launch_template(const std::string& name, const nlohmann::json& data);
  // `config` is a SpotFleetRequestConfig. Returns the fleet's ID.
  std::string request_spot_fleet(const nlohmann::json& config);
  // The IDs of a fleet's present instances.
  std::vector<std::string> fleet_instances(const std::string& id);
  // Cancels a fleet and terminates its instances.
  void cancel_spot_fleet(const std::string& id);

 private:
  Client& client_;
};

}  // namespace spotrun::aws
