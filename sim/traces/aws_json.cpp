// What `aws ec2 describe-spot-price-history` prints:
// {"SpotPriceHistory": [{"AvailabilityZone", "InstanceType", "ProductDescription", "SpotPrice",
// "Timestamp"}, …]}, newest first.
//
// A large document is read in blocks, on all cores: closed with "]}" and opened again with the
// array's name, a block of whole entries is a document itself. Where one is not, which is so where
// the cut was in a string or in another array, or where anything is wrong, the document is read
// again in one.
#include <simdjson.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/in_parallel.h"
#include "sim/traces/entry_blocks.h"
#include "sim/traces/name_index.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/trace_fields.h"

namespace sim::market {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kArray = "SpotPriceHistory";
constexpr std::string_view kOpen = R"({"SpotPriceHistory":[)", kClose = "]}";  // of a block
constexpr std::string_view kExpectedDocument =
    "JSON as aws ec2 describe-spot-price-history prints it";
// EC2-Classic and VPC had prices of their own. Where a history has both, VPC's count: an instance
// of today runs in one. Prices of Windows, SUSE and Red Hat are left out.
constexpr std::string_view kLinux = "Linux/UNIX", kLinuxVpc = "Linux/UNIX (Amazon VPC)";
constexpr int kDeepest = 1000;

// What stands at a place of the document.
struct Value {
  std::string_view kind = "nothing";  // "string", "number", …
  std::string_view text{};            // of a string, until the next document
};
struct Entry {
  Value zone{}, type{}, product{}, price{}, time{};
};

// What is wrong in an entry.
struct Wrong {
  std::size_t index;
  std::string_view field;
  std::string found;
  std::string_view expected;
};

std::string_view kind_of(ondemand::value& value) {
  switch (value.type().value()) {
    case ondemand::json_type::array:
      return "array";
    case ondemand::json_type::object:
      return "object";
    case ondemand::json_type::number:
      return "number";
    case ondemand::json_type::string:
      return "string";
    case ondemand::json_type::boolean:
      return "boolean";
    default:
      return "null";
  }
}

// Reads a value that is not needed, as simdjson checks only what is read.
void check(ondemand::value value, int depth) {
  if (depth > kDeepest) throw simdjson::simdjson_error(simdjson::DEPTH_ERROR);
  switch (value.type().value()) {
    case ondemand::json_type::array:
      for (auto element : value.get_array()) check(element.value(), depth + 1);
      break;
    case ondemand::json_type::object:
      for (auto field : value.get_object()) {
        field.unescaped_key().value();
        check(field.value(), depth + 1);
      }
      break;
    case ondemand::json_type::number:
      value.get_double().value();
      break;
    case ondemand::json_type::string:
      value.get_string().value();
      break;
    case ondemand::json_type::boolean:
      value.get_bool().value();
      break;
    default:
      if (!value.is_null().value()) throw simdjson::simdjson_error(simdjson::N_ATOM_ERROR);
  }
}

Value read(ondemand::value value, int depth) {
  std::string_view text;
  const simdjson::error_code error = value.get_string().get(text);
  if (!error) return {"string", text};
  if (error != simdjson::INCORRECT_TYPE) throw simdjson::simdjson_error(error);
  const Value found{.kind = kind_of(value)};
  check(value, depth);
  return found;
}

Value* field_of(Entry& entry, std::string_view name) {
  if (name == "AvailabilityZone") return &entry.zone;
  if (name == "InstanceType") return &entry.type;
  if (name == "ProductDescription") return &entry.product;
  if (name == "SpotPrice") return &entry.price;
  if (name == "Timestamp") return &entry.time;
  return nullptr;
}

// A price of the reader's pool of that number.
struct Row {
  std::uint32_t pool;
  PricePoint point;
};

struct PoolName {
  Pool pool;
  bool vpc;
};

// A document's array.
struct Listing {
  int arrays = 0;        // how many of its name there are; the last counts
  bool is_last = false;  // of the document's keys
  bool is_array = false;
  std::size_t entries = 0;
  std::vector<Row> rows;
  std::set<std::string> left_out;  // products
  std::optional<Wrong> wrong;      // of several, in the last entry
};

// Reads documents; numbers the pools that come.
class Reader {
 public:
  // Throws simdjson_error. The text's buffer must have room for simdjson's padding.
  Listing read(const std::string& text) {
    Listing listing;
    ondemand::document document = parser_.iterate(text.data(), text.size(), text.capacity());
    for (auto field : document.get_object()) {
      listing.is_last = field.unescaped_key() == kArray;
      ondemand::value value = field.value();
      if (!listing.is_last) {
        check(value, 1);
        continue;
      }
      const int before = listing.arrays;
      listing = Listing();
      listing.arrays = before + 1;
      listing.is_last = true;
      listing.is_array = value.type() == ondemand::json_type::array;
      if (!listing.is_array)
        check(value, 1);
      else
        for (auto entry : value.get_array()) read_entry(entry.value(), listing);
    }
    if (!document.current_location().error())
      throw simdjson::simdjson_error(simdjson::TRAILING_CONTENT);
    return listing;
  }
  const std::vector<PoolName>& pools() const { return pools_; }

 private:
  void read_entry(ondemand::value value, Listing& listing) {
    const std::string_view kind = kind_of(value);
    Entry entry;
    if (kind == "object")
      for (auto field : value.get_object()) {
        Value* const wanted = field_of(entry, field.unescaped_key());
        if (wanted)
          *wanted = market::read(field.value(), 3);
        else
          check(field.value(), 3);
      }
    else
      check(value, 2);
    add(kind, entry, listing);
    ++listing.entries;
  }

  void add(std::string_view kind, const Entry& e, Listing& listing) {
    const auto is_text = [](const Value& value) { return value.kind == "string"; };
    const auto wrong = [&](std::string_view field, const Value& value, std::string_view expected) {
      listing.wrong = {listing.entries, field,
                       std::string(is_text(value) ? value.text : value.kind), expected};
    };
    if (kind != "object") return wrong("entry", {.kind = kind, .text = kind}, "an object");
    if (!is_text(e.product))
      return wrong("ProductDescription", e.product, "\"Linux/UNIX\" or another");
    const bool vpc = e.product.text == kLinuxVpc;
    const bool texts = is_text(e.zone) && is_text(e.type);
    const std::uint32_t pool = texts ? number_of(e.zone.text, e.type.text, vpc) : 0;
    if (!texts || !good_[pool]) {
      if (!is_text(e.zone) || !is_zone(e.zone.text))
        return wrong("AvailabilityZone", e.zone, kExpectedZone);
      return wrong("InstanceType", e.type, kExpectedType);
    }
    const auto price = is_text(e.price) ? parse_price(e.price.text) : std::nullopt;
    if (!price) return wrong("SpotPrice", e.price, kExpectedPrice);
    const auto at = is_text(e.time) ? parse_time(e.time.text) : std::nullopt;
    if (!at) return wrong("Timestamp", e.time, kExpectedTime);
    if (vpc || e.product.text == kLinux)
      listing.rows.push_back({pool, {*at, *price}});
    else
      listing.left_out.emplace(e.product.text);
  }

  std::uint32_t number_of(std::string_view zone, std::string_view type, bool vpc) {
    ((((name_ = vpc ? "vpc" : "") += '\n') += zone) += '\n') += type;
    const std::size_t number = names_.number_of(name_);
    if (number == pools_.size()) {
      pools_.push_back({{std::string(type), std::string(zone)}, vpc});
      good_.push_back(is_zone(zone) && is_instance_type(type));
    }
    return static_cast<std::uint32_t>(number);
  }

  ondemand::parser parser_;
  NameIndex names_;
  std::vector<PoolName> pools_;  // by the number that names_ has for them
  std::vector<bool> good_;       // whether zone and type are such
  std::string name_;
};

// The rows of a document, or of a block of it, and by which reader.
struct Part {
  std::size_t reader;
  std::vector<Row> rows;
};

// From the oldest to the newest, so that the newer of two at one instant counts.
PriceHistory join(const std::vector<Reader>& readers, const std::vector<Part>& parts) {
  std::vector<std::vector<std::size_t>> sizes(readers.size());
  for (std::size_t r = 0; r < readers.size(); ++r) sizes[r].resize(readers[r].pools().size());
  for (const Part& part : parts)
    for (const Row& row : part.rows) ++sizes[part.reader][row.pool];
  PriceHistory history, vpc;
  std::vector<std::vector<std::vector<PricePoint>*>> points(readers.size());
  for (std::size_t r = 0; r < readers.size(); ++r) {
    auto place = history.pools.begin(), vpc_place = vpc.pools.begin();
    for (std::size_t i = 0; i < sizes[r].size(); ++i) {
      const PoolName& name = readers[r].pools()[i];
      auto& at = name.vpc ? vpc_place : place;
      if (sizes[r][i] > 0) {
        at = (name.vpc ? vpc : history).pools.try_emplace(at, name.pool);
        at->second.reserve(at->second.capacity() + sizes[r][i]);
      }
      points[r].push_back(sizes[r][i] > 0 ? &at->second : nullptr);
      if (sizes[r][i] > 0) ++at;
    }
  }
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    for (auto row = part->rows.rbegin(); row != part->rows.rend(); ++row)
      points[part->reader][row->pool]->push_back(row->point);
  for (auto& [pool, list] : vpc.pools) history.pools[pool] = std::move(list);
  return history;
}

// Empty where the document cannot be cut or something is wrong in it.
std::optional<PriceHistory> read_blocks(const TraceFile& file, std::size_t readers,
                                        std::size_t size) {
  EntryBlocks blocks(file, {kOpen, kClose, simdjson::SIMDJSON_PADDING}, size);
  std::vector<Reader> all(readers);
  std::mutex mutex;
  std::vector<Part> parts;
  std::atomic<bool> odd = false;
  base::in_parallel(readers, [&](std::size_t r) {
    try {
      for (EntryBlock block; blocks.next(block);) {
        Listing listing = all[r].read(block.text);
        const bool first = block.index == 0;
        if (!listing.is_array || listing.wrong || (!block.last && !listing.is_last) ||
            (!first && listing.arrays > 1))
          throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
        const std::scoped_lock lock(mutex);
        parts.resize(std::max(parts.size(), block.index + 1));
        parts[block.index] = {r, std::move(listing.rows)};
      }
    } catch (const simdjson::simdjson_error&) {
      odd = true;
      blocks.stop();
    }
  });
  if (odd) return {};
  return join(all, parts);
}

[[noreturn]] void fail_json(const TraceFile& file, const simdjson::simdjson_error& odd) {
  using nlohmann::json;
  try {
    std::ignore =
        json::parse(file.text, [](int, json::parse_event_t, const json&) { return false; });
  } catch (const json::parse_error& error) {
    fail_at_byte(file, error.byte, kExpectedDocument);
  } catch (const json::exception& error) {  // a number beyond any double
    fail_file(file, error.what(), kExpectedDocument);
  }
  fail_file(file, odd.what(), kExpectedDocument);
}

PriceHistory read_whole(const TraceFile& file) {
  std::string text;
  text.reserve(file.text.size() + simdjson::SIMDJSON_PADDING);
  text = file.text;
  std::vector<Reader> reader(1);
  Listing listing;
  try {
    listing = reader[0].read(text);
  } catch (const simdjson::simdjson_error& odd) {
    fail_json(file, odd);
  }
  if (!listing.is_array)
    fail_file(file, "no array \"SpotPriceHistory\"", R"({"SpotPriceHistory": [{…}, …]})");
  if (const auto& wrong = listing.wrong)
    fail_at_entry(file, kArray, wrong->index, wrong->field, wrong->found, wrong->expected);
  if (listing.rows.empty() && !listing.left_out.empty())
    fail_file(file, "only prices of " + *listing.left_out.begin(), "prices of Linux/UNIX");
  return join(reader, {{0, std::move(listing.rows)}});
}

PriceHistory read_aws_json(const TraceFile& file, std::size_t parts) {
  constexpr std::size_t kBlock = 1 << 20;  // stays in a core's cache
  const std::uintmax_t size = std::max<std::uintmax_t>(file.text.size(), file.size);
  const auto block = static_cast<std::size_t>(std::min<std::uintmax_t>(size / parts + 1, kBlock));
  if (block < size) {
    const auto history = read_blocks(file, parts, block);
    if (history && !history->pools.empty()) return *history;
  }
  return read_whole(file.size > 0 ? load_trace_file(file.path) : file);
}

// The array may come after other keys, such as NextToken.
bool recognises(std::string_view text) {
  constexpr std::size_t kNear = 1 << 16;
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{' &&
         text.substr(start, kNear).find(kArray) != std::string_view::npos;
}

}  // namespace

const PriceFormat kAwsJson{"aws-json", R"({"SpotPriceHistory": [{"AvailabilityZone": …}, …]})",
                           recognises, read_aws_json, true};

}  // namespace sim::market
