#include <array>

#include "sim/scenario/blocks.h"

namespace sim::scenario {
namespace {

using cloud::Durations;

struct RangeKey {
  const char* key;
  cloud::Range Durations::*field;
};
constexpr std::array<RangeKey, 13> kRanges{{
    {"spot_evaluation", &Durations::spot_evaluation},
    {"instance_pending", &Durations::instance_pending},
    {"boot", &Durations::boot},
    {"instance_shutdown", &Durations::instance_shutdown},
    {"volume_creating", &Durations::volume_creating},
    {"volume_attaching", &Durations::volume_attaching},
    {"volume_detaching", &Durations::volume_detaching},
    {"volume_deleting", &Durations::volume_deleting},
    {"volume_modifying", &Durations::volume_modifying},
    {"snapshot_base", &Durations::snapshot_base},
    {"fleet_replenish", &Durations::fleet_replenish},
    {"autoscaling_reaction", &Durations::autoscaling_reaction},
    {"autoscaling_health_check", &Durations::autoscaling_health_check},
}};

struct DurationKey {
  const char* key;
  Duration Durations::*field;
};
constexpr std::array<DurationKey, 6> kDurations{{
    {"os_grace", &Durations::os_grace},
    {"volume_optimizing", &Durations::volume_optimizing},
    {"stack_step", &Durations::stack_step},
    {"capacity_retry", &Durations::capacity_retry},
    {"interruption_notice", &Durations::interruption_notice},
    {"event_delivery", &Durations::event_delivery},
}};

struct PriceKey {
  const char* key;
  market::Usd cloud::Prices::*field;
};
constexpr std::array<PriceKey, 19> kPrices{{
    {"volume_gp2_gb_month", &cloud::Prices::volume_gp2_gb_month},
    {"volume_gp3_gb_month", &cloud::Prices::volume_gp3_gb_month},
    {"volume_gp3_iops_month", &cloud::Prices::volume_gp3_iops_month},
    {"volume_gp3_mib_per_second_month", &cloud::Prices::volume_gp3_mib_per_second_month},
    {"volume_io1_gb_month", &cloud::Prices::volume_io1_gb_month},
    {"volume_io1_iops_month", &cloud::Prices::volume_io1_iops_month},
    {"volume_io2_gb_month", &cloud::Prices::volume_io2_gb_month},
    {"volume_io2_iops_month", &cloud::Prices::volume_io2_iops_month},
    {"volume_st1_gb_month", &cloud::Prices::volume_st1_gb_month},
    {"volume_sc1_gb_month", &cloud::Prices::volume_sc1_gb_month},
    {"volume_standard_gb_month", &cloud::Prices::volume_standard_gb_month},
    {"snapshot_gb_month", &cloud::Prices::snapshot_gb_month},
    {"object_gb_month", &cloud::Prices::object_gb_month},
    {"object_writes_1000", &cloud::Prices::object_writes_1000},
    {"object_reads_1000", &cloud::Prices::object_reads_1000},
    {"log_ingested_gb", &cloud::Prices::log_ingested_gb},
    {"log_gb_month", &cloud::Prices::log_gb_month},
    {"transfer_between_zones_gb", &cloud::Prices::transfer_between_zones_gb},
    {"transfer_between_regions_gb", &cloud::Prices::transfer_between_regions_gb},
}};

void read_durations(const Value& block, Durations& durations) {
  Fields fields(block);
  for (const RangeKey& row : kRanges) {
    if (const auto v = fields.take(row.key)) {
      if (const auto range = v->range()) durations.*row.field = *range;
    }
  }
  for (const DurationKey& row : kDurations) {
    if (const auto v = fields.take(row.key)) {
      if (const auto duration = v->duration()) durations.*row.field = *duration;
    }
  }
  if (const auto v = fields.take("snapshot_mib_per_second")) {
    const auto rate = v->number();
    if (rate && *rate <= 0) v->fail("a number above 0");
    durations.snapshot_mib_per_second = rate.value_or(durations.snapshot_mib_per_second);
  }
  fields.finish();
}

void read_bandwidth(Fields& fields, std::int64_t& bandwidth, const char* key = "bandwidth") {
  constexpr std::int64_t least = 1000, most = 1'000'000'000'000;  // bytes a second
  if (const auto v = fields.take(key)) bandwidth = v->integer(least, most).value_or(bandwidth);
}

void read_latencies(const Value& block, cloud::Latencies& latencies) {
  Fields fields(block);
  if (const auto v = fields.take("api")) latencies.api = v->duration().value_or(latencies.api);
  if (const auto v = fields.take("imds")) latencies.imds = v->duration().value_or(latencies.imds);
  if (const auto v = fields.take("s3")) latencies.s3 = v->duration().value_or(latencies.s3);
  read_bandwidth(fields, latencies.s3_bytes_per_second, "s3_bandwidth");
  fields.finish();
}

void read_path(const Value& block, guest::NetworkPath& path) {
  Fields fields(block);
  if (const auto v = fields.take("round_trip"))
    path.round_trip = v->duration().value_or(path.round_trip);
  read_bandwidth(fields, path.bandwidth);
  fields.finish();
}

void read_network(const Value& block, guest::NetworkKnobs& network) {
  Fields fields(block);
  if (const auto v = fields.take("within_zone")) read_path(*v, network.within_zone);
  if (const auto v = fields.take("between_zones")) read_path(*v, network.between_zones);
  read_bandwidth(fields, network.instance_bandwidth);
  fields.finish();
}

void read_sagemaker(const Value& block, sagemaker::Knobs& knobs) {
  Fields fields(block);
  if (const auto v = fields.take("price_factor")) {
    const auto factor = v->number();
    if (factor && *factor <= 0) v->fail("a number above 0");
    knobs.price_factor = factor;
  }
  const std::pair<const char*, Duration*> durations[] = {
      {"image_download", &knobs.image_download},
      {"checkpoint_sync", &knobs.checkpoint_sync},
      {"request", &knobs.transfer.request},
      {"stop_grace", &knobs.stop_grace}};
  for (const auto& [key, duration] : durations)
    if (const auto v = fields.take(key)) *duration = v->duration().value_or(*duration);
  if (knobs.checkpoint_sync < std::chrono::seconds{1})
    block.fail("a checkpoint_sync of 1s at least");
  read_bandwidth(fields, knobs.transfer.bytes_per_second);
  if (const auto v = fields.take("requests_at_once"))
    knobs.transfer.requests_at_once = static_cast<int>(v->integer(1, 1000).value_or(1));
  fields.finish();
}

void read_elastigroup(const Value& block, elastigroup::Knobs& knobs) {
  Fields fields(block);
  if (const auto v = fields.take("backup_interval")) {
    knobs.backup_interval = v->duration().value_or(knobs.backup_interval);
    if (knobs.backup_interval < std::chrono::seconds{1}) v->fail("1s at least");
  }
  fields.finish();
}

void read_cloudwatch(const Value& block, monitoring::CpuKnobs& knobs) {
  Fields fields(block);
  const auto percent = [&](const char* key) -> std::optional<double> {
    const auto v = fields.take(key);
    const auto number = v ? v->number() : std::nullopt;
    if (number && (*number < 0 || *number > 100)) v->fail("a number from 0 to 100");
    return number;
  };
  knobs.idle = percent("idle_cpu").value_or(knobs.idle);
  knobs.training = percent("training_cpu");
  fields.finish();
}

void read_cloudformation(const Value& block, std::vector<std::string>& skipped) {
  Fields fields(block);
  if (const auto v = fields.take("skip"))
    for (const Value& item : v->list("resource types")) {
      const std::string type = item.text().value_or("");
      if (type.find("::") == type.npos) item.fail("a resource type such as AWS::Lambda::Function");
      skipped.push_back(type);
    }
  fields.finish();
}

}  // namespace

void read_bill_prices(const Value& block, cloud::Prices& prices) {
  Fields fields(block);
  for (const PriceKey& row : kPrices) {
    if (const auto v = fields.take(row.key)) {
      if (const auto price = v->usd()) prices.*row.field = *price;
    }
  }
  fields.finish();
}

void read_knobs(Fields& fields, Scenario& s) {
  if (const auto v = fields.take("durations")) read_durations(*v, s.cloud.durations);
  if (const auto v = fields.take("prices")) read_bill_prices(*v, s.cloud.prices);
  if (const auto v = fields.take("latencies")) read_latencies(*v, s.latencies);
  if (const auto v = fields.take("network")) read_network(*v, s.network);
  if (const auto v = fields.take("sagemaker")) read_sagemaker(*v, s.sagemaker);
  if (const auto v = fields.take("elastigroup")) read_elastigroup(*v, s.elastigroup);
  if (const auto v = fields.take("cloudwatch")) read_cloudwatch(*v, s.cpu);
  if (const auto v = fields.take("cloudformation"))
    read_cloudformation(*v, s.skipped_resource_types);
}

}  // namespace sim::scenario
