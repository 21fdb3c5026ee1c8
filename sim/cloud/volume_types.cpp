#include "sim/cloud/volume_types.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/error.h"

namespace sim::cloud {
namespace {

constexpr int kTib = 1024;  // in GiB
constexpr std::int64_t kMib = 1 << 20;

// io2 may have more than 64,000 IOPS, and a lower price per IOPS above 32,000. Neither is modelled.
constexpr VolumeType kTypes[] = {
    {"gp2", 1, 16 * kTib, 0, 0, 0, 0, &Prices::volume_gp2_gb_month, nullptr, nullptr},
    {"gp3", 1, 16 * kTib, kGp3Iops, 16000, 500, 1000, &Prices::volume_gp3_gb_month,
     &Prices::volume_gp3_iops_month, &Prices::volume_gp3_mib_per_second_month},
    {"io1", 4, 16 * kTib, 100, 64000, 50, 0, &Prices::volume_io1_gb_month,
     &Prices::volume_io1_iops_month, nullptr},
    {"io2", 4, 16 * kTib, 100, 32000, 500, 0, &Prices::volume_io2_gb_month,
     &Prices::volume_io2_iops_month, nullptr},
    {"st1", 125, 16 * kTib, 0, 0, 0, 0, &Prices::volume_st1_gb_month, nullptr, nullptr},
    {"sc1", 125, 16 * kTib, 0, 0, 0, 0, &Prices::volume_sc1_gb_month, nullptr, nullptr},
    {"standard", 1, kTib, 0, 0, 0, 0, &Prices::volume_standard_gb_month, nullptr, nullptr},
};

[[noreturn]] void throw_value(const std::string& why) {
  throw ApiError("InvalidParameterValue", why);
}

void check_iops(const VolumeSpec& spec, const VolumeType& type) {
  if (type.most_iops == 0)
    throw ApiError("InvalidParameterCombination",
                   fmt::format("The parameter iops is not supported for {} volumes.", type.name));
  if (spec.iops < type.least_iops)
    throw_value(
        fmt::format("Volume iops of {} is too low; minimum is {}.", spec.iops, type.least_iops));
  if (spec.iops > type.most_iops)
    throw_value(
        fmt::format("Volume iops of {} is too high; maximum is {}.", spec.iops, type.most_iops));
  if (type.name == "gp3" && spec.iops == kGp3Iops) return;
  if (spec.iops > spec.size_gib * type.most_iops_per_gib)
    throw_value(fmt::format("Iops to volume size ratio of {:.6f} is too high; maximum is {}.",
                            static_cast<double>(spec.iops) / spec.size_gib,
                            type.most_iops_per_gib));
}

void check_throughput(const VolumeSpec& spec, const VolumeType& type) {
  if (type.most_mib_per_second == 0)
    throw ApiError("InvalidParameterDependency",
                   fmt::format("The parameter Throughput requires the parameter VolumeType to be "
                               "gp3, not {}.",
                               type.name));
  if (spec.throughput < kGp3MibPerSecond || spec.throughput > type.most_mib_per_second)
    throw_value(fmt::format("Throughput of {} MiBps is not between {} and {}.", spec.throughput,
                            kGp3MibPerSecond, type.most_mib_per_second));
  if (spec.throughput * 4 > spec.iops)
    throw_value(
        fmt::format("Throughput (MiBps) to iops ratio of {:.6f} is too high; maximum is "
                    "0.250000 MiBps per iops.",
                    static_cast<double>(spec.throughput) / spec.iops));
}

// The baseline IOPS: gp2 has 3 per GiB, at least 100, at most 16,000.
int own_iops(const VolumeSpec& spec) {
  if (spec.type == "gp2") return std::clamp(3 * spec.size_gib, 100, 16000);
  return spec.type == "gp3" ? kGp3Iops : 0;
}

// "General Purpose SSD volumes": 3 IOPS per GiB, at least 100; up to 3,000 with a credit of 5.4
// million; 128 MiB/s up to 170 GiB, 250 MiB/s above. Smaller volumes reach that only in bursts,
// because an I/O has at most 256 KiB.
VolumePerformance gp2(const Volume& volume) {
  constexpr double kBurst = 3000, kCredits = 5'400'000;
  const double iops = std::clamp(3.0 * volume.size_gib, 100.0, 16000.0);
  return {.bytes_per_second = (volume.size_gib <= 170 ? 128 : 250) * kMib,
          .iops = iops,
          .burst_iops = std::max(iops, kBurst),
          .credits = iops < kBurst ? kCredits : 0};
}

// "Throughput Optimized HDD and Cold HDD volumes": MiB/s by TiB, with a credit of one MiB for each
// MiB of the volume. Every I/O counts as a MiB, however small it is.
VolumePerformance hard_disk(const Volume& volume, int always, int burst, int most) {
  const double tib = static_cast<double>(volume.size_gib) / kTib;
  const double slow = std::min<double>(always * tib, most),
               fast = std::min<double>(burst * tib, most);
  return {.bytes_per_second = static_cast<std::int64_t>(fast * kMib),
          .io_bytes = kMib,
          .iops = slow,
          .burst_iops = fast,
          .credits = slow < fast ? tib * kMib : 0};
}

}  // namespace

const VolumeType& volume_type(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name, &VolumeType::name);
  if (found == std::end(kTypes))
    throw ApiError("UnknownVolumeType", fmt::format("Invalid volume type: {}", name));
  return *found;
}

void check_and_complete(VolumeSpec& spec) {
  const VolumeType& type = volume_type(spec.type);
  if (spec.size_gib < type.least_gib || spec.size_gib > type.most_gib)
    throw_value(fmt::format("Volume of {}GiB: {} volumes have {} to {} GiB", spec.size_gib,
                            type.name, type.least_gib, type.most_gib));
  if (spec.iops != 0) {
    check_iops(spec, type);
  } else if (spec.iops = own_iops(spec); spec.iops == 0 && type.most_iops > 0) {
    throw ApiError("MissingParameter", fmt::format("The parameter iops must be specified for {} "
                                                   "volumes.",
                                                   type.name));
  }
  if (spec.throughput != 0)
    check_throughput(spec, type);
  else if (type.most_mib_per_second > 0)
    spec.throughput = kGp3MibPerSecond;
}

VolumeSpec spec_like(const Volume& volume) {
  const VolumeType& type = volume_type(volume.type);
  return {.size_gib = volume.size_gib,
          .type = volume.type,
          .tags = volume.tags,
          .encrypted = volume.encrypted,
          .kms_key_id = volume.kms_key_id,
          .iops = type.most_iops > 0 ? volume.iops : 0,
          .throughput = type.most_mib_per_second > 0 ? volume.throughput : 0};
}

VolumePerformance performance(const Volume& volume) {
  if (volume.type == "gp2") return gp2(volume);
  if (volume.type == "st1") return hard_disk(volume, 40, 250, 500);
  if (volume.type == "sc1") return hard_disk(volume, 12, 80, 250);
  const auto steady = [](std::int64_t bytes_per_second, double iops) {
    return VolumePerformance{
        .bytes_per_second = bytes_per_second, .iops = iops, .burst_iops = iops};
  };
  const std::int64_t iops = volume.iops;
  // 256 KiB an IOPS up to 500 MiB/s, and above 32,000 IOPS 16 KiB an IOPS.
  if (volume.type == "io1")
    return steady(std::max(std::min(iops * kMib / 4, 500 * kMib), iops * kMib / 64), volume.iops);
  if (volume.type == "io2") return steady(std::min(iops * kMib / 4, 1000 * kMib), volume.iops);
  if (volume.type == "standard") {
    VolumePerformance magnetic = steady(40 * kMib, 100);
    magnetic.io_bytes = kMib;
    return magnetic;
  }
  return steady(std::max(volume.throughput, kGp3MibPerSecond) * kMib,
                std::max(volume.iops, kGp3Iops));
}

}  // namespace sim::cloud
