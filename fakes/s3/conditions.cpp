#include "fakes/s3/conditions.h"

#include <string_view>

namespace fakes::s3 {
namespace {

using sim::objects::ApiError;

// Whether a header such as If-Match names the entity tag: "*", or a list of entity tags with or
// without quotes.
bool names(std::string_view list, std::string_view etag) {
  while (!list.empty()) {
    auto one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), one.size() + 1));
    const auto begin = one.find_first_not_of(" \"");
    if (begin == one.npos) continue;
    one = one.substr(begin, one.find_last_not_of(" \"") - begin + 1);
    if (one == "*" || one == etag) return true;
  }
  return false;
}

ApiError failed(std::string_view prefix, std::string_view condition) {
  return ApiError("PreconditionFailed",
                  "At least one of the pre-conditions you specified did not hold", 412)
      .with("Condition", std::string(prefix) + std::string(condition));
}

}  // namespace

void check_write(const sim::objects::Store& store, const std::string& bucket,
                 const std::string& key, const std::optional<std::string>& match,
                 const std::optional<std::string>& none_match) {
  if (none_match && *none_match != "*")
    throw ApiError("NotImplemented",
                   "A header you provided implies functionality that is not implemented: an "
                   "If-None-Match other than *",
                   501);
  if (match) check({match, none_match, {}, {}}, store.object(bucket, key), false);
  if (none_match && store.bucket(bucket).objects.contains(key)) throw failed("", "If-None-Match");
}

void check(const Conditions& conditions, const sim::objects::Object& object, bool is_read) {
  // Times in HTTP headers have whole seconds.
  const auto time = std::chrono::floor<std::chrono::seconds>(
      api::Timestamp(object.last_modified.time_since_epoch()));
  const bool matches = conditions.match && names(*conditions.match, object.etag);
  if (conditions.match && !matches) throw failed(conditions.prefix, "If-Match");
  if (conditions.unmodified_since && !matches && time > *conditions.unmodified_since)
    throw failed(conditions.prefix, "If-Unmodified-Since");
  bool unchanged = false;
  if (conditions.none_match)
    unchanged = names(*conditions.none_match, object.etag);
  else if (conditions.modified_since)
    unchanged = time <= *conditions.modified_since;
  if (!unchanged) return;
  if (is_read) throw ApiError("NotModified", "Not Modified", 304);
  throw failed(conditions.prefix, conditions.none_match ? "If-None-Match" : "If-Modified-Since");
}

}  // namespace fakes::s3
