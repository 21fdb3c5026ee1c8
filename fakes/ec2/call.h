// One request to the EC2 Query API on its way through an action.
#pragma once

#include <string>

#include "fakes/backend.h"
#include "fakes/ec2/parameters.h"
#include "fakes/ec2/xml.h"
#include "sim/cloud/cloud.h"

namespace fakes::ec2 {

// An action reads all its parameters from `in`, calls start(), does its work and renders into
// `out`, the response's root element, which has its requestId already. What it cannot do it throws
// as ApiError.
class Call {
 public:
  Call(Backend& behind, Parameters parameters, Node root)
      : backend(behind),
        cloud(behind.cloud),
        now(behind.simulation.now()),
        in(std::move(parameters)),
        out(root) {}

  // Ends the reading: throws UnknownParameter for what was not read and DryRunOperation for a dry
  // run.
  void start();
  bool started() const { return started_; }

  Backend& backend;
  sim::cloud::Cloud& cloud;
  const sim::Time now;
  const Parameters in;
  Node out;

 private:
  bool started_ = false;
};

using Action = void (*)(Call&);

// MaxResults and NextToken of a describe action. A token is the place in the answer to go on from.
class Page {
 public:
  // MaxResults must be in [low, high]; `most` is the page's size when it is not given.
  Page(const Parameters& in, int low, int high, std::size_t most = SIZE_MAX);
  // EC2 refuses MaxResults together with a list of IDs: throws InvalidParameterCombination.
  void refuse_with(const std::vector<std::string>& ids, std::string_view name) const;

  // Keeps this page of `items`, and adds <nextToken> to `out` when there is more.
  template <class T>
  void cut(std::vector<T>& items, Node out) const {
    const auto begin = std::min(offset_, items.size());
    const auto end = items.size() - begin > size_ ? begin + size_ : items.size();
    const bool more = end < items.size();
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(end), items.end());
    items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(begin));
    if (more) add_text(out, "nextToken", token(end));
  }

 private:
  static std::string token(std::size_t offset);
  std::size_t offset_ = 0;
  std::size_t size_;
  bool sized_ = false;
};

// ---- what several actions read
sim::cloud::Tags read_tags(const Parameters& in);  // Tag.N.Key, Tag.N.Value
// TagSpecification.N of this resource type; another type than those in `also` is an error.
sim::cloud::Tags read_tag_specification(const Parameters& in, std::string_view resource_type,
                                        std::string_view list = "TagSpecification",
                                        const std::vector<std::string>& also = {});
// Base64 text of at most 16 KiB when decoded; empty when it is not given.
std::string read_user_data(const Parameters& in);

// ---- identifiers: InvalidInstanceID.Malformed and its like for what cannot be one
sim::cloud::InstanceId instance_id(const std::string& text);
sim::cloud::VolumeId volume_id(const std::string& text);
sim::cloud::SnapshotId snapshot_id(const std::string& text);
sim::cloud::SpotRequestId spot_request_id(const std::string& text);
sim::cloud::FleetId fleet_id(const std::string& text);
sim::cloud::LaunchTemplateId launch_template_id(const std::string& text);
void check_security_group_id(const std::string& text);

// ---- what EC2 still shows: terminated instances for an hour; no deleted volumes and snapshots
bool visible(const Call& call, const sim::cloud::Instance& instance);
bool visible(const sim::cloud::Volume& volume);
bool visible(const sim::cloud::Snapshot& snapshot);
// Throws Invalid*.NotFound for what is not there or not shown.
const sim::cloud::Instance& find_instance(const Call& call, const sim::cloud::InstanceId& id);
const sim::cloud::Volume& find_volume(const Call& call, const sim::cloud::VolumeId& id);
const sim::cloud::Snapshot& find_snapshot(const Call& call, const sim::cloud::SnapshotId& id);

}  // namespace fakes::ec2
