// Prices as CSV: many pools in one file, az,instance_type,timestamp,price_usd_h; or one pool, which
// the file's name says, with times in ISO 8601, timestamp,price_usd_h, or in milliseconds since
// 1970, epoch_ms,price_usd_h.
#include "sim/traces/csv.h"
#include "sim/traces/name_index.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/trace_fields.h"

namespace sim::market {
namespace {

constexpr std::string_view kMarketsHeader = "az,instance_type,timestamp,price_usd_h";
constexpr std::string_view kTimestampsHeader = "timestamp,price_usd_h";
constexpr std::string_view kEpochMsHeader = "epoch_ms,price_usd_h";

// The prices of a part of the file.
class Markets {
 public:
  bool is_at(std::string_view name) const { return points_ && name == name_; }

  // The pool that the next points are of; `name` is the text that says it.
  void go_to(std::string_view name, std::string_view zone, std::string_view type) {
    end_stretch();
    name_ = name;
    Pool pool{std::string(type), std::string(zone)};
    points_ =
        fits_here(pool) ? insert_here(std::move(pool)) : find_or_insert(name, std::move(pool));
  }
  void add(PricePoint point) { stretch_.push_back(point); }

  // Moves all points to the history, after those that it has.
  void give_to(PriceHistory& history) {
    end_stretch();
    auto place = history.pools.begin();
    while (!pools_.empty()) {
      auto node = pools_.extract(pools_.begin());
      place = history.pools.insert(place, std::move(node));
      if (node)
        place->second.insert(place->second.end(), node.mapped().begin(), node.mapped().end());
      ++place;
    }
  }

 private:
  using Points = std::vector<PricePoint>;

  // In most files a new pool's place is just after that of the one before it.
  bool fits_here(const Pool& pool) const {
    return (next_ == pools_.end() || pool < next_->first) &&
           (next_ == pools_.begin() || std::prev(next_)->first < pool);
  }
  Points* insert_here(Pool&& pool) {
    const auto at = pools_.try_emplace(next_, std::move(pool));
    next_ = std::next(at);
    return &at->second;
  }
  Points* find_or_insert(std::string_view name, Pool&& pool) {
    const std::size_t number = names_.number_of(name);
    if (number == points_of_.size()) {
      next_ = pools_.upper_bound(pool);
      points_of_.push_back(insert_here(std::move(pool)));
    }
    return points_of_[number];
  }
  // A pool's lines mostly stand together, so that room is made once for as many as there are.
  void end_stretch() {
    if (points_) points_->insert(points_->end(), stretch_.begin(), stretch_.end());
    stretch_.clear();
  }

  std::map<Pool, Points> pools_;
  std::map<Pool, Points>::iterator next_ = pools_.end();  // after the last that was inserted
  NameIndex names_;                                       // of those that were looked for
  std::vector<Points*> points_of_;                        // by a name's number
  std::string name_;
  Points* points_ = nullptr;
  Points stretch_;
};

PriceHistory read_markets(const TraceFile& file, std::size_t parts) {
  const auto add = [&](Markets& part, std::size_t line, std::span<const std::string_view> fields) {
    const std::string_view zone = fields[0], type = fields[1];
    const std::string_view name(zone.data(), zone.size() + 1 + type.size());
    if (!part.is_at(name)) {
      if (!is_zone(zone)) fail_at_line(file, line, "az", zone, kExpectedZone);
      if (!is_instance_type(type)) fail_at_line(file, line, "instance_type", type, kExpectedType);
      part.go_to(name, zone, type);
    }
    const auto at = parse_time(fields[2]);
    if (!at) fail_at_line(file, line, "timestamp", fields[2], kExpectedTime);
    const auto price = parse_price(fields[3]);
    if (!price) fail_at_line(file, line, "price_usd_h", fields[3], kExpectedPrice);
    part.add({*at, *price});
  };
  PriceHistory history;
  for (Markets& part : read_csv_parts<Markets>(file, parts, add)) part.give_to(history);
  return history;
}

// How a file of one pool says its times.
struct Times {
  std::string_view column;
  std::optional<Time> (*parse)(std::string_view text);
  std::string_view expected;
};
constexpr Times kTimestamps{"timestamp", parse_time, kExpectedTime};
constexpr Times kEpochMs{"epoch_ms", parse_epoch_ms, kExpectedEpochMs};

template <const Times& times>
PriceHistory read_one_market(const TraceFile& file, std::size_t parts) {
  const std::string name = file.path.filename().string();
  const auto pool = pool_of_file_name(name);
  if (!pool) fail_file(file, name, kExpectedFileName);
  using Points = std::vector<PricePoint>;
  const auto read_point = [&](Points& points, std::size_t line, auto fields) {
    const auto at = times.parse(fields[0]);
    if (!at) fail_at_line(file, line, times.column, fields[0], times.expected);
    const auto price = parse_price(fields[1]);
    if (!price) fail_at_line(file, line, "price_usd_h", fields[1], kExpectedPrice);
    points.push_back({*at, *price});
  };
  PriceHistory history;
  Points& all = history.pools[*pool];
  for (const Points& part : read_csv_parts<Points>(file, parts, read_point))
    all.insert(all.end(), part.begin(), part.end());
  return history;
}

template <const std::string_view& header>
bool begins_with(std::string_view text) {
  return first_line(text) == header;
}

}  // namespace

const PriceFormat kCsvMarkets{"csv-markets", kMarketsHeader, begins_with<kMarketsHeader>,
                              read_markets, true};
const PriceFormat kCsvTimestamps{"csv-timestamps", kTimestampsHeader,
                                 begins_with<kTimestampsHeader>, read_one_market<kTimestamps>,
                                 true};
const PriceFormat kCsvEpochMs{"csv-epoch-ms", kEpochMsHeader, begins_with<kEpochMsHeader>,
                              read_one_market<kEpochMs>, true};

}  // namespace sim::market
