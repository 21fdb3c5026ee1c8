// The output of `aws ec2 describe-spot-price-history`: {"SpotPriceHistory": [{"AvailabilityZone",
// "InstanceType", "ProductDescription", "SpotPrice", "Timestamp"}, …]}, newest first.
//
// A plain array is also accepted. A large document is read in blocks, on all cores. A block of
// whole entries becomes a document when "]}" is added and the array is opened again with its name.
// A block can be invalid: the cut may be in a string or in another array, or the file has an error.
// Then the whole document is read again at once.
#include <simdjson.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/process/in_parallel.h"
#include "sim/traces/aws_entries.h"
#include "sim/traces/entry_blocks.h"
#include "sim/traces/price_formats.h"
#include "sim/traces/price_products.h"

namespace sim::traces {
namespace {

constexpr EntryFrame kDocument{R"({"SpotPriceHistory":[)", "]}", simdjson::SIMDJSON_PADDING};
constexpr EntryFrame kArrayOnly{"[", "]", simdjson::SIMDJSON_PADDING};
constexpr std::string_view kExpectedDocument =
    "JSON as aws ec2 describe-spot-price-history prints it";

// The place of the entries: in the document that AWS prints, or in a plain array, as with `--query
// SpotPriceHistory`.
struct Shape {
  const EntryFrame& frame;
  Listing (EntryReader::*read)(const std::string& text);
  std::string_view array;  // its name in messages
};
constexpr Shape kInDocument{kDocument, &EntryReader::read_document, kPriceArray};
constexpr Shape kInArray{kArrayOnly, &EntryReader::read_array, ""};

// The rows of a document or of a block, and their reader.
struct Part {
  std::size_t reader;
  std::vector<EntryRow> rows;
};

// Joins from the oldest to the newest, so that the newer of two prices at one instant counts.
ProductPrices join(const std::vector<EntryReader>& readers, const std::vector<Part>& parts) {
  std::vector<std::vector<std::size_t>> sizes(readers.size());
  for (std::size_t r = 0; r < readers.size(); ++r) sizes[r].resize(readers[r].pools().size());
  for (const Part& part : parts)
    for (const EntryRow& row : part.rows) ++sizes[part.reader][row.pool];
  ProductPrices prices;
  market::PriceHistory &history = prices.classic, &vpc = prices.vpc;
  std::vector<std::vector<std::vector<market::PricePoint>*>> points(readers.size());
  for (std::size_t r = 0; r < readers.size(); ++r) {
    auto place = history.pools.begin(), vpc_place = vpc.pools.begin();
    for (std::size_t i = 0; i < sizes[r].size(); ++i) {
      const EntryPool& name = readers[r].pools()[i];
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
  return prices;
}

// Empty if the document cannot be cut or has an error.
std::optional<ProductPrices> read_blocks(const TraceFile& file, const Shape& shape,
                                         std::size_t readers, std::size_t size) {
  EntryBlocks blocks(file, shape.frame, size);
  std::vector<EntryReader> all(readers);
  std::mutex mutex;
  std::vector<Part> parts;
  std::atomic<bool> odd = false;
  base::in_parallel(readers, [&](std::size_t r) {
    try {
      for (EntryBlock block; blocks.next(block);) {
        Listing listing = (all[r].*shape.read)(block.text);
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

ProductPrices read_whole(const TraceFile& file, const Shape& shape) {
  std::string text;
  text.reserve(file.text.size() + simdjson::SIMDJSON_PADDING);
  text = file.text;
  std::vector<EntryReader> reader(1);
  Listing listing;
  try {
    listing = (reader[0].*shape.read)(text);
  } catch (const simdjson::simdjson_error& odd) {
    fail_json(file, odd);
  }
  if (!listing.is_array)
    fail_file(file, "no array \"SpotPriceHistory\"", R"({"SpotPriceHistory": [{…}, …]})");
  if (const auto& wrong = listing.wrong)
    fail_at_entry(file, shape.array, wrong->index, wrong->field, wrong->found, wrong->expected);
  ProductPrices prices = join(reader, {{0, std::move(listing.rows)}});
  prices.left_out = std::move(listing.left_out);
  return prices;
}

template <const Shape& shape>
market::PriceHistory read_aws_json(const TraceFile& file, std::size_t parts,
                                   std::vector<std::string>& warnings) {
  constexpr std::size_t kBlock = 1 << 20;  // stays in a core's cache
  const std::uintmax_t size = std::max<std::uintmax_t>(file.text.size(), file.size);
  const auto block = static_cast<std::size_t>(std::min<std::uintmax_t>(size / parts + 1, kBlock));
  if (block < size) {
    auto prices = read_blocks(file, shape, parts, block);
    if (prices && !(prices->classic.pools.empty() && prices->vpc.pools.empty()))
      return linux_prices(std::move(*prices), file, warnings);
  }
  return linux_prices(read_whole(file.size > 0 ? load_trace_file(file.path) : file, shape), file,
                      warnings);
}

// The beginning of a text, without blanks.
std::string_view start_of(std::string_view text) {
  constexpr std::size_t kNear = 1 << 16;
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text.substr(0, kNear);
}

// The array may come after other keys, such as NextToken. The form with one entry per line has no
// such array.
bool is_document(std::string_view text) {
  const std::string_view begin = start_of(text);
  return begin.starts_with('{') && begin.find(kPriceArray) != begin.npos;
}

bool is_array(std::string_view text) {
  const std::string_view begin = start_of(text);
  return begin.starts_with('[') && begin.find("\"SpotPrice\"") != begin.npos;
}

}  // namespace

const PriceFormat kAwsJson{.name = "aws-json",
                           .looks_like = R"({"SpotPriceHistory": [{"AvailabilityZone": …}, …]})",
                           .recognises = is_document,
                           .read = read_aws_json<kInDocument>,
                           .records = Records::kObjects,
                           .from_beginning = true};
const PriceFormat kAwsArray{.name = "aws-array",
                            .looks_like = R"([{"AvailabilityZone": …, "SpotPrice": …}, …])",
                            .recognises = is_array,
                            .read = read_aws_json<kInArray>,
                            .records = Records::kObjects,
                            .from_beginning = true};

}  // namespace sim::traces
