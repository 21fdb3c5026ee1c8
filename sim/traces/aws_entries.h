// Reads the entries of AWS's price history: objects with AvailabilityZone, InstanceType,
// ProductDescription, SpotPrice and Timestamp. They are in describe-spot-price-history's array, in
// a plain array, or one per line.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/market/price_history.h"
#include "sim/traces/name_index.h"
#include "sim/traces/price_products.h"
#include "sim/traces/trace_fields.h"

namespace sim::traces {

inline constexpr std::string_view kPriceArray = "SpotPriceHistory";

// An error in an entry.
struct WrongEntry {
  std::size_t index;
  std::string_view field;
  std::string found;
  std::string_view expected;
};

// A price of the reader's pool of that number.
struct EntryRow {
  std::uint32_t pool;
  market::PricePoint point;
};

struct EntryPool {
  market::Pool pool;
  bool vpc;
};

// A document's array.
struct Listing {
  int arrays = 0;        // how many of its name there are; the last counts
  bool is_last = false;  // of the document's keys
  bool is_array = false;
  std::size_t entries = 0;
  std::vector<EntryRow> rows;
  std::set<std::string> left_out;   // products
  std::optional<WrongEntry> wrong;  // of several, in the last entry
};

// Reads documents; numbers the pools that come. All throw simdjson_error. The text's buffer must
// have room for simdjson's padding.
class EntryReader {
 public:
  // A document that has the array, as AWS prints it.
  Listing read_document(const std::string& text);
  // An array of entries.
  Listing read_array(const std::string& text);
  // Reads one entry and adds it to the listing.
  void read_entry(const std::string& text, Listing& listing);
  const std::vector<EntryPool>& pools() const { return pools_; }

 private:
  struct Entry;
  void read_entries(simdjson::ondemand::value array, Listing& listing);
  void read(simdjson::ondemand::value value, Listing& listing);
  void add(std::string_view kind, const Entry& entry, Listing& listing);
  std::uint32_t number_of(std::string_view zone, std::string_view type, bool vpc);

  simdjson::ondemand::parser parser_;
  NameIndex names_;
  std::vector<EntryPool> pools_;  // by the number that names_ has for them
  std::vector<bool> good_;        // whether zone and type are such
  std::string name_;
};

}  // namespace sim::traces
