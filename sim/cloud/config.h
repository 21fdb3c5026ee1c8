// The settings of an account's cloud: durations, latencies, prices, images and what exists at the
// start. The scenario reader fills them in.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/time.h"
#include "sim/market/usd.h"

namespace sim::cloud {

// A duration that is drawn uniformly. If low = high, it is constant.
struct Range {
  Duration low, high;
};

// The durations of transitions. A scenario may set each of them.
struct Durations {
  Range spot_evaluation{2s, 2s};      // fleet submitted → instances requested
  Range instance_pending{20s, 30s};   // pending → running
  Range boot{30s, 45s};               // running → user data starts
  Range instance_shutdown{30s, 30s};  // shutting-down → terminated, minimum
  Duration os_grace = 10s;            // SIGTERM → SIGKILL when the machine is shut down
  Range volume_creating{3s, 8s};      // creating → available
  Range volume_attaching{3s, 6s};
  Range volume_detaching{3s, 6s};
  Range volume_deleting{5s, 60s};
  // "Size increases take effect once the volume modification reaches the optimizing state, which
  // usually takes a few seconds". "A fully used 1-TiB volume can take about 6 hours" to optimize
  // (EBS user guide, "Monitor the progress of volume modifications").
  Range volume_modifying{2s, 6s};                      // modifying → optimizing
  Duration volume_optimizing = std::chrono::hours{6};  // optimizing → completed, for a TiB
  Range snapshot_base{30s, 60s};                       // pending, plus the data's share:
  double snapshot_mib_per_second = 50;
  Range fleet_replenish{5s, 30s};      // an instance is lost → its fleet detects and replaces it
  Range autoscaling_reaction{5s, 5s};  // a group changes → the resulting activity
  Range autoscaling_health_check{5s, 60s};  // instance ends → health check detects it
  // CloudFormation: from IN_PROGRESS of a resource to the call of its service, and from the end of
  // a stack's last step to the stack's next status. A change set takes three times as long.
  Duration stack_step = 1s;
  Duration capacity_retry = 60s;  // a fleet without capacity tries again
  Duration interruption_notice = 120s;
  // A service's event → its rules' targets have it. "Typically half a second" (EventBridge FAQs).
  Duration event_delivery = std::chrono::milliseconds{500};
};

// The virtual time from a request to its answer, by endpoint.
struct Latencies {
  Duration imds = std::chrono::milliseconds{1};
  Duration api = std::chrono::milliseconds{150};
  // To the first byte "roughly 100–200 milliseconds", then 85 to 90 MB/s a connection (S3 User
  // Guide, "Performance design patterns for Amazon S3").
  Duration s3 = std::chrono::milliseconds{100};
  std::int64_t s3_bytes_per_second = 90'000'000;
};
inline constexpr Latencies kNoLatencies{{}, {}, {}, std::int64_t{1} << 62};

struct Prices {
  market::Usd volume_gp2_gb_month{100'000'000};  // $0.10, us-west-2
  market::Usd volume_gp3_gb_month{80'000'000};
  market::Usd volume_gp3_iops_month{5'000'000};             // above 3,000
  market::Usd volume_gp3_mib_per_second_month{40'000'000};  // above 125
  market::Usd volume_io1_gb_month{125'000'000};
  market::Usd volume_io1_iops_month{65'000'000};
  market::Usd volume_io2_gb_month{125'000'000};
  market::Usd volume_io2_iops_month{65'000'000};
  market::Usd volume_st1_gb_month{45'000'000};
  market::Usd volume_sc1_gb_month{15'000'000};
  market::Usd volume_standard_gb_month{50'000'000};
  market::Usd snapshot_gb_month{50'000'000};
  // S3 Standard (S3 pricing, us-west-2): storage, and the price of a thousand requests that write
  // or list (PUT, COPY, POST, LIST) and of a thousand that read.
  market::Usd object_gb_month{23'000'000};
  market::Usd object_writes_1000{5'000'000};
  market::Usd object_reads_1000{400'000};
  // CloudWatch pricing, "Logs" (Standard): per GB (2^30 bytes) ingested, and per GB stored.
  market::Usd log_ingested_gb{500'000'000};
  market::Usd log_gb_month{30'000'000};
  // Between Availability Zones, per GB (2^30 bytes), for the sender and for the receiver (EC2
  // on-demand pricing, "Data Transfer within the same AWS Region"). Transfer within a zone is free.
  market::Usd transfer_between_zones_gb{10'000'000};
  // From this region to another one, per GB, for the sender (EC2 on-demand pricing, "Data Transfer
  // OUT From Amazon EC2 To Other AWS Regions").
  market::Usd transfer_between_regions_gb{20'000'000};
};

// An AMI as DescribeImages shows it.
struct Image {
  std::string name;
  std::string description;
  std::string owner;  // an account's ID, or an alias: "amazon", "aws-marketplace"; empty: ours
  std::string architecture = "x86_64";
  Time created{};
};

struct Config {
  std::string account_id = "123456789012";
  std::string region = "us-west-2";
  std::vector<std::string> availability_zones;  // full names, ordered
  std::map<std::string, Image> images;          // by ImageId
  bool any_image = true;  // an ImageId that is missing in `images` exists, too
  // The key pairs and the security groups (IDs, or names in the default VPC) that exist at the
  // start. If there is no list, every one that a launch names exists, until the account creates one
  // itself.
  std::optional<std::vector<std::string>> key_pairs = {}, security_groups = {};
  Durations durations;
  Prices prices;
};

// Replaces the duration of a transition, by the name of its random stream, such as
// "volume-attaching". It is also called with "tags-visible" for new tags, which are visible at once
// otherwise.
using Pace = std::function<Duration(std::string_view transition, Duration drawn)>;

}  // namespace sim::cloud
