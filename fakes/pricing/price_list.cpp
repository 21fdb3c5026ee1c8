#include "fakes/pricing/price_list.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fakes/region_names.h"
#include "sim/cloud/volume_types.h"
#include "sim/kernel/json_object.h"
#include "sim/market/instance_types.h"

namespace fakes::pricing {
namespace {

using sim::Json;
using sim::json_object;
using sim::cloud::Prices;
using sim::market::format_usd;
using sim::market::InstanceType;
using sim::market::Usd;
using Attributes = std::map<std::string, std::string>;

// AWS's codes of on-demand terms, and of their prices.
constexpr std::string_view kTerm = "JRTCKXETXF", kRate = "6YS6EN2CT7";

// ---- instances

std::string family_of(const InstanceType& type) {
  for (const std::string_view maker : {"inf", "trn", "dl"})
    if (type.name.starts_with(maker)) return "Machine Learning ASIC Instances";
  if (type.gpus > 0) return "GPU instance";
  switch (type.name.front()) {
    case 'c':
      return "Compute optimized";
    case 'r':
    case 'x':
    case 'z':
      return "Memory optimized";
    case 'd':
    case 'h':
    case 'i':
      return "Storage optimized";
    default:
      return "General purpose";
  }
}

std::string memory_of(const InstanceType& type) {
  return fmt::format("{} GiB", static_cast<double>(type.memory_mib) / 1024);
}

Attributes attributes_of(const InstanceType& type, const std::string& region) {
  Attributes attributes{
      {"servicename", "Amazon Elastic Compute Cloud"},
      {"instanceType", type.name},
      {"instanceFamily", family_of(type)},
      {"vcpu", std::to_string(type.vcpus)},
      {"memory", memory_of(type)},
      {"tenancy", "Shared"},
      {"operatingSystem", "Linux"},
      {"licenseModel", "No License required"},
      {"operation", "RunInstances"},
      {"capacitystatus", "Used"},
      {"preInstalledSw", "NA"},
      {"marketoption", "OnDemand"},
      {"usagetype", fmt::format("{}BoxUsage:{}", usage_prefix(region), type.name)}};
  if (type.gpus > 0) attributes["gpu"] = fmt::format("{}", type.gpus);
  return attributes;
}

void place(Product& product, const std::string& region) {
  product.attributes["servicecode"] = product.service;
  product.attributes["location"] = region_name(region);
  product.attributes["locationType"] = "AWS Region";
  product.attributes["regionCode"] = region;
}

bool may_need_instance(const MayNeed& may_need, const InstanceType& type,
                       const std::string& region) {
  return may_need("instanceType", type.name) && may_need("regionCode", region) &&
         may_need("location", region_name(region));
}

void add_instances(const Backend& backend, const MayNeed& may_need, std::vector<Product>& all) {
  const sim::Time now = backend.simulation.now();
  for (const auto& [name, type] : backend.cloud.market().types()) {
    std::map<std::string, const sim::market::OnDemandPrice*> prices;
    for (const auto& each : type.on_demand)
      if (may_need_instance(may_need, type, each.region))
        prices[each.region] = &sim::market::on_demand_price(type, each.region, now);
    for (const auto& [region, price] : prices) {
      Product product{.service = "AmazonEC2",
                      .family = "Compute Instance",
                      .attributes = attributes_of(type, region),
                      .unit = "Hrs",
                      .price = price->per_hour,
                      .since = price->since};
      place(product, region);
      product.description =
          fmt::format("${} per On Demand Linux {} Instance Hour", format_usd(product.price), name);
      all.push_back(std::move(product));
    }
  }
}

// ---- what has one price for the region

// A price of Prices. `usage` is the usage type without the region's beginning.
struct RegionPrice {
  std::string_view service = {}, family, usage = {}, unit, description;
  Usd Prices::*price = nullptr;
  std::int64_t per = 1;
  std::vector<std::pair<const char*, const char*>> more = {};
};

std::vector<RegionPrice> region_prices() {
  return {{"AmazonEC2", "Storage Snapshot", "EBS:SnapshotUsage", "GB-Mo",
           "per GB-Month of snapshot data stored", &Prices::snapshot_gb_month},
          {"AmazonEC2",
           "Data Transfer",
           "DataTransfer-Regional-Bytes",
           "GB",
           "per GB - regional data transfer",
           &Prices::transfer_between_zones_gb,
           1,
           {{"transferType", "IntraRegion"}}},
          {"AmazonS3",
           "Storage",
           "TimedStorage-ByteHrs",
           "GB-Mo",
           "per GB - first 50 TB / month of storage used",
           &Prices::object_gb_month,
           1,
           {{"storageClass", "General Purpose"}, {"volumeType", "Standard"}}},
          {"AmazonS3",
           "API Request",
           "Requests-Tier1",
           "Requests",
           "per 1,000 PUT, COPY, POST, or LIST requests",
           &Prices::object_writes_1000,
           1000,
           {{"group", "S3-API-Tier1"}}},
          {"AmazonS3",
           "API Request",
           "Requests-Tier2",
           "Requests",
           "per 1,000 GET and all other requests",
           &Prices::object_reads_1000,
           1000,
           {{"group", "S3-API-Tier2"}}},
          {"AmazonCloudWatch",
           "Data Payload",
           "DataProcessing-Bytes",
           "GB",
           "per GB custom log data ingested",
           &Prices::log_ingested_gb,
           1,
           {{"group", "Ingested Logs"}}},
          {"AmazonCloudWatch", "Storage Snapshot", "TimedStorage-ByteHrs", "GB-Mo",
           "per GB-mo of log storage", &Prices::log_gb_month}};
}

struct VolumeName {
  std::string_view type, volume_type, media;
};
constexpr VolumeName kVolumes[] = {
    {"gp2", "General Purpose", "SSD-backed"},  {"gp3", "General Purpose", "SSD-backed"},
    {"io1", "Provisioned IOPS", "SSD-backed"}, {"io2", "Provisioned IOPS", "SSD-backed"},
    {"sc1", "Cold HDD", "HDD-backed"},         {"st1", "Throughput Optimized HDD", "HDD-backed"},
    {"standard", "Magnetic", "HDD-backed"}};

// The price list has the time from which a price counts. Those of this region have none here, so
// they count from the month's beginning, as AWS's often do.
sim::Time month_of(sim::Time t) {
  const auto day = std::chrono::floor<std::chrono::days>(
      std::chrono::sys_time<sim::Duration>(t.time_since_epoch()));
  const std::chrono::year_month_day date(day);
  return sim::Time(std::chrono::sys_days(date.year() / date.month() / 1).time_since_epoch());
}

class RegionProducts {
 public:
  explicit RegionProducts(const Backend& backend)
      : prices_(backend.cloud.config().prices),
        region_(backend.cloud.config().region),
        since_(month_of(backend.simulation.now())) {}

  Product of(const RegionPrice& row) const {
    Product product{.service = std::string(row.service),
                    .family = std::string(row.family),
                    .unit = std::string(row.unit),
                    .price = prices_.*row.price,
                    .per = row.per,
                    .since = since_};
    for (const auto& [name, value] : row.more) product.attributes[name] = value;
    product.attributes["usagetype"] = fmt::format("{}{}", usage_prefix(region_), row.usage);
    product.description = fmt::format("${} {}", format_usd(product.price), row.description);
    place(product, region_);
    return product;
  }

  // A price of a volume type: of its GiB, IOPS or MiB/s.
  void add_volume(const VolumeName& name, RegionPrice row, std::string_view usage,
                  Usd Prices::*price, std::vector<Product>& all) const {
    if (price == nullptr) return;
    const std::string text = fmt::format("EBS:{}{}", usage, name.type == "standard" ? "" : ".") +
                             std::string(name.type == "standard" ? "" : name.type);
    row.service = "AmazonEC2";
    row.usage = text;
    row.price = price;
    Product product = of(row);
    product.attributes["volumeApiName"] = name.type;
    product.attributes["volumeType"] = name.volume_type;
    product.attributes["storageMedia"] = name.media;
    all.push_back(std::move(product));
  }

 private:
  const Prices& prices_;
  const std::string& region_;
  const sim::Time since_;
};

void add_of_region(const Backend& backend, std::string_view service, std::vector<Product>& all) {
  const RegionProducts products(backend);
  for (const RegionPrice& row : region_prices())
    if (row.service == service) all.push_back(products.of(row));
  if (service != "AmazonEC2") return;
  for (const VolumeName& name : kVolumes) {
    const sim::cloud::VolumeType& type = sim::cloud::volume_type(name.type);
    products.add_volume(name,
                        {.family = "Storage",
                         .unit = "GB-Mo",
                         .description = "per GB-month of provisioned storage"},
                        "VolumeUsage", type.gb_month, all);
    products.add_volume(name,
                        {.family = "System Operation",
                         .unit = "IOPS-Mo",
                         .description = "per IOPS-month provisioned"},
                        "VolumeP-IOPS", type.iops_month, all);
    products.add_volume(name,
                        {.family = "Provisioned Throughput",
                         .unit = "MiBps-Mo",
                         .description = "per provisioned MiBps-month"},
                        "VolumeP-Throughput", type.throughput_month, all);
  }
}

// ---- the text

// A code of 16 characters that depends on the product only.
std::string sku_of(const Product& product) {
  constexpr std::string_view kCharacters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
  std::uint64_t state = 14695981039346656037ULL;  // FNV-1a
  for (const std::string& text :
       {product.service, product.family, product.attributes.at("usagetype")})
    for (const char c : text + "/")
      state = (state ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  std::string sku;
  while (sku.size() < 16) {
    sku += kCharacters[(state >> 33) % kCharacters.size()];
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  }
  return sku;
}

// "0.0000050000": dollars for one unit, with ten decimals.
std::string unit_price(const Product& product) {
  const std::int64_t tenths = product.price.nano * 10 / product.per;
  return fmt::format("{}.{:010}", tenths / 10'000'000'000, tenths % 10'000'000'000);
}

}  // namespace

std::vector<Product> products(const Backend& backend, std::string_view service,
                              const MayNeed& may_need) {
  std::vector<Product> all;
  if (service == "AmazonEC2") add_instances(backend, may_need, all);
  add_of_region(backend, service, all);
  return all;
}

std::map<std::string, std::string> filterable(const Product& product) {
  auto attributes = product.attributes;
  attributes["productFamily"] = product.family;
  attributes["termType"] = "OnDemand";
  return attributes;
}

std::string price_list_item(const Product& product) {
  const std::string sku = sku_of(product), term = fmt::format("{}.{}", sku, kTerm);
  const std::string rate = fmt::format("{}.{}", term, kRate),
                    since = sim::iso_seconds(product.since);
  Json dimension = json_object({{"unit", product.unit},
                                {"endRange", "Inf"},
                                {"description", product.description},
                                {"appliesTo", Json::array()},
                                {"rateCode", rate},
                                {"beginRange", "0"},
                                {"pricePerUnit", json_object({{"USD", unit_price(product)}})}});
  Json dimensions = Json::object(), offers = Json::object();
  dimensions[rate] = std::move(dimension);
  offers[term] = json_object({{"priceDimensions", std::move(dimensions)},
                              {"sku", sku},
                              {"effectiveDate", since},
                              {"offerTermCode", kTerm},
                              {"termAttributes", Json::object()}});
  return json_object({{"product", json_object({{"productFamily", product.family},
                                               {"attributes", product.attributes},
                                               {"sku", sku}})},
                      {"serviceCode", product.service},
                      {"terms", json_object({{"OnDemand", std::move(offers)}})},
                      {"version", since},
                      {"publicationDate", since}})
      .dump();
}

}  // namespace fakes::pricing
