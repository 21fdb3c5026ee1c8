// Makes AWS's identifiers. Each kind has a random stream of its own, so that an additional volume
// does not change the IDs of instances.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "sim/cloud/ids.h"
#include "sim/kernel/random.h"

namespace sim::cloud {

// IDs in AWS's formats, each returned once. The same seed gives the same IDs in the same order.
class IdSource {
 public:
  explicit IdSource(const Streams& streams) : streams_(streams) {}

  InstanceId instance();         // "i-0" and 16 hexadecimal digits
  VolumeId volume();             // "vol-0…"
  VolumeId root_volume();        // its own stream: roots do not change the IDs of other volumes
  SnapshotId snapshot();         // "snap-0…"
  ImageId image();               // "ami-0…"
  SpotRequestId spot_request();  // "sir-" and eight letters and digits
  LaunchTemplateId launch_template();  // "lt-0" and 16 hexadecimal digits
  FleetId fleet();                     // "sfr-" and a UUID (version 4)
  FleetId ec2_fleet();                 // "fleet-" and a UUID
  std::string maintenance_event();     // "instance-event-0" and 16 hexadecimal digits

 private:
  Stream& stream(std::string_view kind);
  std::string long_id(std::string_view prefix);
  std::string uuid(std::string_view prefix);
  std::string long_id(std::string_view prefix, std::string_view kind);

  Streams streams_;
  std::map<std::string, Stream, std::less<>> kinds_;
  std::set<std::string> given_;
};

}  // namespace sim::cloud
