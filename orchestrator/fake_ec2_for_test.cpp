#include "orchestrator/fake_ec2_for_test.h"

#include <fmt/format.h>
#include <stdlib.h>

namespace spotrun::testing {
namespace {

std::map<std::string, std::string> parse_form(const std::string& body) {
  std::map<std::string, std::string> form;
  std::string name, value;
  bool in_value = false;
  const auto flush = [&] {
    form[name] = value;
    name.clear();
    value.clear();
    in_value = false;
  };
  for (std::size_t i = 0; i < body.size(); ++i) {
    std::string& part = in_value ? value : name;
    if (body[i] == '&') {
      flush();
    } else if (body[i] == '=' && !in_value) {
      in_value = true;
    } else if (body[i] == '%') {
      part += static_cast<char>(std::stoi(body.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      part += body[i];
    }
  }
  flush();
  return form;
}

std::string at(const std::map<std::string, std::string>& form, const std::string& name) {
  const auto found = form.find(name);
  return found == form.end() ? "" : found->second;
}

aws::Tags read_tags(const std::map<std::string, std::string>& form, const std::string& prefix) {
  aws::Tags tags;
  for (int i = 1; form.contains(fmt::format("{}Tag.{}.Key", prefix, i)); ++i) {
    tags[at(form, fmt::format("{}Tag.{}.Key", prefix, i))] =
        at(form, fmt::format("{}Tag.{}.Value", prefix, i));
  }
  return tags;
}

std::string element(const std::string& name, const std::string& text) {
  return fmt::format("<{0}>{1}</{0}>", name, text);
}

std::string tag_set(const aws::Tags& tags) {
  std::string items;
  for (const auto& [key, value] : tags) {
    items += element("item", element("key", key) + element("value", value));
  }
  return element("tagSet", items);
}

// Whether a resource passes all filters of a Describe action.
bool passes(const std::map<std::string, std::string>& form, const aws::Tags& tags,
            const std::string& id, const std::string& state, const std::string& description = "") {
  for (int i = 1; form.contains(fmt::format("Filter.{}.Name", i)); ++i) {
    const std::string name = at(form, fmt::format("Filter.{}.Name", i));
    const auto tag = name.starts_with("tag:") ? tags.find(name.substr(4)) : tags.end();
    const std::string own = name.starts_with("tag:") ? (tag == tags.end() ? "" : tag->second)
                            : name.ends_with("-id")  ? id
                            : name == "description"  ? description
                                                     : state;
    bool any = false;
    for (int j = 1; form.contains(fmt::format("Filter.{}.Value.{}", i, j)); ++j) {
      any = any || (!own.empty() && own == at(form, fmt::format("Filter.{}.Value.{}", i, j)));
    }
    if (!any) return false;
  }
  return true;
}

std::string render(const FakeVolume& volume) {
  std::string attachments;
  if (!volume.holder.empty()) {
    attachments = element(
        "item", element("instanceId", volume.holder) + element("status", volume.attachment));
  }
  return element("volumeId", volume.id) + element("availabilityZone", volume.zone) +
         element("volumeType", "gp2") + element("status", volume.state) +
         element("createTime", iso_time(volume.created)) + element("attachmentSet", attachments) +
         tag_set(volume.tags);
}

std::string render(const FakeSnapshot& snapshot) {
  return element("snapshotId", snapshot.id) + element("volumeId", snapshot.volume) +
         element("status", snapshot.state) + element("progress", "50%") +
         element("startTime", iso_time(snapshot.started)) + tag_set(snapshot.tags);
}

}  // namespace

client::HttpResponse FakeEc2::send(const client::HttpRequest& request) {
  struct Action {
    Handler handler;
    bool changes;
  };
  static const std::map<std::string, Action> kActions{
      {"DescribeVolumes", {&FakeEc2::describe_volumes, false}},
      {"CreateVolume", {&FakeEc2::create_volume, true}},
      {"AttachVolume", {&FakeEc2::attach_volume, true}},
      {"DetachVolume", {&FakeEc2::detach_volume, true}},
      {"DeleteVolume", {&FakeEc2::delete_volume, true}},
      {"DescribeSnapshots", {&FakeEc2::describe_snapshots, false}},
      {"CreateSnapshot", {&FakeEc2::create_snapshot, true}},
      {"DeleteSnapshot", {&FakeEc2::delete_snapshot, true}},
      {"CreateTags", {&FakeEc2::create_tags, true}},
      {"DeleteTags", {&FakeEc2::delete_tags, true}},
      {"DescribeInstances", {&FakeEc2::describe_instances, false}},
      {"DescribeSpotInstanceRequests", {&FakeEc2::describe_spot_requests, false}},
      {"DescribeSpotPriceHistory", {&FakeEc2::describe_spot_prices, false}},
      {"RunInstances", {&FakeEc2::run_instances, true}},
      {"TerminateInstances", {&FakeEc2::terminate_instances, true}},
      {"DescribeSpotFleetInstances", {&FakeEc2::describe_fleet, false}},
      {"CancelSpotFleetRequests", {&FakeEc2::cancel_fleet, true}},
  };
  const Form form = parse_form(request.body);
  const std::string name = at(form, "Action");
  const Action action = kActions.at(name);
  advance();
  const int n = static_cast<int>(calls.size());
  if (action.changes) {
    around(n, false);
    calls.push_back(name);
  }
  try {
    if (refuse.contains(name)) throw Error{refuse[name]};
    const std::string body = element("Answer", (this->*action.handler)(form));
    if (action.changes) around(n, true);
    return {200, body};
  } catch (const Error& error) {
    return {400,
            element("Response", element("Errors", element("Error", element("Code", error.code))))};
  }
}

FakeVolume& FakeEc2::add_volume(const std::string& zone, const aws::Tags& tags, int content) {
  const std::string id = next_id("vol-");
  return volumes[id] = {.id = id,
                        .zone = zone,
                        .state = "available",
                        .created = clock_.time,
                        .content = content,
                        .tags = tags};
}

FakeInstance& FakeEc2::add_instance(const std::string& zone) {
  const std::string id = next_id("i-");
  return instances[id] = {.id = id, .zone = zone, .launched = clock_.time};
}

void FakeEc2::terminate(const std::string& instance_id) {
  instances[instance_id].state = "shutting-down";
  instances[instance_id].gone = clock_.time + std::chrono::seconds{30};
}

std::vector<FakeVolume*> FakeEc2::live_volumes() {
  advance();
  std::vector<FakeVolume*> live;
  for (auto& [id, volume] : volumes) {
    if (volume.state != "deleting" && volume.state != "deleted") live.push_back(&volume);
  }
  return live;
}

void FakeEc2::advance() {
  for (auto& [id, instance] : instances) {
    if (instance.state == "shutting-down" && clock_.time >= instance.gone) {
      instance.state = "terminated";
    }
  }
  for (auto& [id, volume] : volumes) {
    if (!volume.holder.empty() && instances[volume.holder].state == "terminated") {
      volume.holder.clear();
      volume.state = volume.fails ? "error" : "available";
    }
    if (clock_.time < volume.ready) continue;
    if (volume.state == "creating") volume.state = "available";
    if (volume.state == "deleting") volume.state = "deleted";
    if (volume.attachment == "attaching") volume.attachment = "attached";
    if (volume.attachment == "detaching") {
      volume.attachment.clear();
      volume.holder.clear();
      volume.state = volume.fails ? "error" : "available";
    }
  }
  for (auto& [id, snapshot] : snapshots) {
    if (snapshot.state == "pending" && clock_.time >= snapshot.ready)
      snapshot.state = snapshot.fails ? "error" : "completed";
  }
}

FakeVolume& FakeEc2::volume(const Form& form) {
  const auto found = volumes.find(at(form, "VolumeId"));
  if (found == volumes.end() || found->second.state == "deleted") {
    throw Error{"InvalidVolume.NotFound"};
  }
  return found->second;
}

aws::Tags* FakeEc2::tags_of(const std::string& id) {
  if (volumes.contains(id)) return &volumes[id].tags;
  if (snapshots.contains(id)) return &snapshots[id].tags;
  if (instances.contains(id)) return &instances[id].tags;
  throw Error{"InvalidID"};
}

std::string FakeEc2::next_id(const std::string& prefix) {
  return fmt::format("{}{:04}", prefix, ++ids_);
}

std::string FakeEc2::describe_volumes(const Form& form) {
  std::string items;
  const std::string only = at(form, "VolumeId.1");
  for (const auto& [id, volume] : volumes) {
    if (volume.state == "deleted" || (!only.empty() && id != only)) continue;
    if (passes(form, volume.tags, id, volume.state)) items += element("item", render(volume));
  }
  if (items.empty() && !only.empty()) throw Error{"InvalidVolume.NotFound"};
  return element("volumeSet", items);
}

std::string FakeEc2::create_volume(const Form& form) {
  std::string& known = made_[at(form, "ClientToken")];
  if (!known.empty()) return render(volumes.at(known));
  int content = 0;
  if (const std::string from = at(form, "SnapshotId"); !from.empty()) {
    if (!snapshots.contains(from)) throw Error{"InvalidSnapshot.NotFound"};
    if (snapshots[from].state != "completed") throw Error{"IncorrectState"};
    content = snapshots[from].content;
  }
  FakeVolume& made =
      add_volume(at(form, "AvailabilityZone"), read_tags(form, "TagSpecification.1."), content);
  made.state = "creating";
  made.ready = clock_.time + std::chrono::seconds{7};
  known = made.id;
  return render(made);
}

std::string FakeEc2::attach_volume(const Form& form) {
  FakeVolume& attached = volume(form);
  const FakeInstance& instance = instances.at(at(form, "InstanceId"));
  if (attached.state == "in-use") throw Error{"VolumeInUse"};
  if (attached.state != "available") throw Error{"IncorrectState"};
  if (attached.zone != instance.zone) throw Error{"InvalidVolume.ZoneMismatch"};
  attached.state = "in-use";
  attached.holder = instance.id;
  attached.attachment = "attaching";
  attached.ready = clock_.time + std::chrono::seconds{7};
  return "";
}

std::string FakeEc2::detach_volume(const Form& form) {
  FakeVolume& detached = volume(form);
  if (detached.holder.empty()) throw Error{"IncorrectState"};
  detached.attachment = "detaching";
  detached.ready = clock_.time + std::chrono::seconds{7};
  return "";
}

std::string FakeEc2::delete_volume(const Form& form) {
  FakeVolume& gone = volume(form);
  if (gone.state == "in-use") throw Error{"VolumeInUse"};
  if (gone.state != "available" && gone.state != "error") throw Error{"IncorrectState"};
  gone.state = "deleting";
  gone.ready = clock_.time + std::chrono::minutes{3};
  return "";
}

std::string FakeEc2::describe_snapshots(const Form& form) {
  std::string items;
  for (const auto& [id, snapshot] : snapshots) {
    if (passes(form, snapshot.tags, id, snapshot.state, snapshot.description))
      items += element("item", render(snapshot));
  }
  return element("snapshotSet", items);
}

std::string FakeEc2::create_snapshot(const Form& form) {
  const FakeVolume& from = volume(form);
  const std::string id = next_id("snap-");
  snapshots[id] = {.id = id,
                   .volume = from.id,
                   .state = "pending",
                   .description = at(form, "Description"),
                   .started = clock_.time,
                   .ready = clock_.time + std::chrono::minutes{25},
                   .content = from.content,
                   .tags = read_tags(form, "TagSpecification.1.")};
  return render(snapshots[id]);
}

std::string FakeEc2::delete_snapshot(const Form& form) {
  if (snapshots.erase(at(form, "SnapshotId")) == 0) throw Error{"InvalidSnapshot.NotFound"};
  return "";
}

std::string FakeEc2::create_tags(const Form& form) {
  aws::Tags& tags = *tags_of(at(form, "ResourceId.1"));
  for (const auto& [key, value] : read_tags(form, "")) tags[key] = value;
  return "";
}

std::string FakeEc2::delete_tags(const Form& form) {
  aws::Tags& tags = *tags_of(at(form, "ResourceId.1"));
  for (const auto& [key, value] : read_tags(form, "")) tags.erase(key);
  return "";
}

std::string FakeEc2::describe_instances(const Form& form) {
  std::string items;
  const std::string only = at(form, "InstanceId.1");
  for (const auto& [id, instance] : instances) {
    if (!only.empty() && id != only) continue;
    if (!passes(form, instance.tags, id, instance.state)) continue;
    items += element("item", element("instanceId", id) + element("instanceType", instance.type) +
                                 element("instanceState", element("name", instance.state)) +
                                 element("launchTime", iso_time(instance.launched)) +
                                 element("placement", element("availabilityZone", instance.zone)) +
                                 element("spotInstanceRequestId", instance.spot_request) +
                                 tag_set(instance.tags));
  }
  if (items.empty() && !only.empty()) throw Error{"InvalidInstanceID.NotFound"};
  return element("reservationSet", element("item", element("instancesSet", items)));
}

std::string FakeEc2::describe_spot_requests(const Form& form) {
  for (const auto& [id, instance] : instances) {
    if (instance.spot_request != at(form, "SpotInstanceRequestId.1")) continue;
    return element("spotInstanceRequestSet",
                   element("item", element("status", element("code", instance.spot_status))));
  }
  throw Error{"InvalidSpotInstanceRequestID.NotFound"};
}

std::string FakeEc2::run_instances(const Form& form) {
  const std::string zone = at(form, "Placement.AvailabilityZone");
  const std::string max_price = at(form, "InstanceMarketOptions.SpotOptions.MaxPrice");
  std::string& known = made_[at(form, "ClientToken")];
  if (!known.empty() && instances[known].tags != read_tags(form, "TagSpecification.1."))
    throw Error{"IdempotentParameterMismatch"};
  if (known.empty() && !max_price.empty()) {
    if (!spot_prices.contains(zone) || sold_out.contains(zone))
      throw Error{"InsufficientInstanceCapacity"};
    if (spot_prices[zone] > std::stod(max_price)) throw Error{"SpotMaxPriceTooLow"};
  }
  if (known.empty() && max_price.empty() && no_on_demand.contains(zone))
    throw Error{"InsufficientInstanceCapacity"};
  if (known.empty()) {
    FakeInstance& made = add_instance(zone);
    if (!max_price.empty()) made.spot_request = "sir-" + made.id;
    made.tags = read_tags(form, "TagSpecification.1.");
    known = made.id;
  }
  return element("instancesSet", element("item", element("instanceId", known)));
}

std::string FakeEc2::describe_spot_prices(const Form&) {
  std::string items;
  for (const auto& [zone, price] : spot_prices)
    items +=
        element("item", element("instanceType", "p3.2xlarge") + element("availabilityZone", zone) +
                            element("spotPrice", fmt::format("{:.6f}", price)));
  return element("spotPriceHistorySet", items);
}

std::string FakeEc2::terminate_instances(const Form& form) {
  terminate(at(form, "InstanceId.1"));
  return "";
}

std::string FakeEc2::describe_fleet(const Form&) {
  std::string items;
  for (const std::string& id : fleet) items += element("item", element("instanceId", id));
  return element("activeInstanceSet", items);
}

std::string FakeEc2::cancel_fleet(const Form& form) {
  if (cancelled_fleets.insert(at(form, "SpotFleetRequestId.1")).second) return "";
  return element(
      "unsuccessfulFleetRequestSet",
      element("item", element("error", element("code", "fleetRequestNotInCancellableState"))));
}

FakeProcess::FakeProcess(FakeClock& clock, FakeEc2& fake)
    : imds(fake, clock, "http://imds"),
      credentials(fake, imds, clock, environment_of(kCredentials)),
      transport(fake, environment_of(kCredentials)),
      client(transport, clock, credentials, {.region = "us-west-2"}, numbered_bits()),
      ec2(client),
      context{clock, log, ec2} {}

Job test_job() {
  return parse_job(R"({"name": "test", "region": "us-west-2",
    "volume": {"tag": "Name=data", "size_gib": 100, "availability_zone": "us-west-2b"},
    "prepare": {"instance_type": "m4.xlarge", "image_id": "ami-1", "command": "true"},
    "train": {"command": "true"}, "profiles": {"p3.2xlarge": {"step_time": "4.5s"}}})",
                   "job.json");
}

client::Identity identity_of(const FakeInstance& instance) {
  return {instance.id, "p3.2xlarge", instance.zone, "us-west-2"};
}

}  // namespace spotrun::testing
