#include "sim/cloud/id_source.h"

#include <fmt/format.h>

namespace sim::cloud {

Stream& IdSource::stream(std::string_view kind) {
  const auto found = kinds_.find(kind);
  if (found != kinds_.end()) return found->second;
  return kinds_.emplace(std::string{kind}, streams_.stream("id", kind)).first->second;
}

std::string IdSource::long_id(std::string_view prefix) { return long_id(prefix, prefix); }

std::string IdSource::long_id(std::string_view prefix, std::string_view kind) {
  for (;;) {
    std::string id = fmt::format("{}-0{:016x}", prefix, stream(kind).next());
    if (given_.insert(id).second) return id;
  }
}

InstanceId IdSource::instance() { return {long_id("i")}; }
VolumeId IdSource::volume() { return {long_id("vol")}; }
VolumeId IdSource::root_volume() { return {long_id("vol", "root")}; }
SnapshotId IdSource::snapshot() { return {long_id("snap")}; }
ImageId IdSource::image() { return {long_id("ami")}; }
LaunchTemplateId IdSource::launch_template() { return {long_id("lt")}; }

SpotRequestId IdSource::spot_request() {
  static constexpr std::string_view kAlphabet = "abcdefghijkmnpqrstuvwxyz123456789";
  for (;;) {
    std::string id = "sir-";
    for (int i = 0; i < 8; ++i) id += kAlphabet[stream("sir").below(kAlphabet.size())];
    if (given_.insert(id).second) return {id};
  }
}

std::string IdSource::uuid(std::string_view prefix) {
  for (;;) {
    const std::uint64_t a = stream(prefix).next(), b = stream(prefix).next();
    std::string id = fmt::format("{}-{:08x}-{:04x}-4{:03x}-{:x}{:03x}-{:012x}", prefix, a >> 32,
                                 a >> 16 & 0xffff, a & 0xfff, 8 | (b >> 62), b >> 48 & 0xfff,
                                 b & 0xffff'ffff'ffff);
    if (given_.insert(id).second) return id;
  }
}

FleetId IdSource::fleet() { return {uuid("sfr")}; }
FleetId IdSource::ec2_fleet() { return {uuid("fleet")}; }
std::string IdSource::maintenance_event() { return long_id("instance-event"); }

}  // namespace sim::cloud
