#include "sim/objects/store.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/base64.h"
#include "sim/events/event.h"

namespace sim::objects {
namespace {

constexpr std::uint64_t kSmallestPart = 5 * 1024 * 1024;
constexpr Duration kDay = std::chrono::hours{24};

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool is_address(std::string_view name) {
  int numbers = 0;
  for (std::size_t begin = 0; begin <= name.size(); ++numbers) {
    const auto end = std::min(name.find('.', begin), name.size());
    const auto part = name.substr(begin, end - begin);
    if (part.empty() || part.find_first_not_of("0123456789") != part.npos) return false;
    begin = end + 1;
  }
  return numbers == 4;
}

// S3 User Guide, "Bucket naming rules".
bool is_bucket_name(std::string_view name) {
  if (name.size() < 3 || name.size() > 63) return false;
  if (!is_lower_or_digit(name.front()) || !is_lower_or_digit(name.back())) return false;
  const auto allowed = [](char c) { return is_lower_or_digit(c) || c == '.' || c == '-'; };
  return std::ranges::all_of(name, allowed) && name.find("..") == name.npos && !is_address(name) &&
         !name.starts_with("xn--") && !name.ends_with("-s3alias");
}

ApiError no_such_upload(const std::string& id) {
  return ApiError("NoSuchUpload",
                  "The specified upload does not exist. The upload ID may be invalid, or the "
                  "upload may have been aborted or completed.",
                  404)
      .with("UploadId", id);
}

std::uint64_t bytes_of(const Upload& upload) {
  std::uint64_t bytes = 0;
  for (const auto& [number, part] : upload.parts) bytes += part.body.size();
  return bytes;
}

std::string_view without_quotes(std::string_view etag) {
  if (etag.size() >= 2 && etag.front() == '"' && etag.back() == '"')
    etag = etag.substr(1, etag.size() - 2);
  return etag;
}

// The parts that a client names, as they are to be joined.
std::vector<const Part*> chosen(const Upload& upload, const std::vector<NamedPart>& named) {
  std::vector<const Part*> parts;
  int last = 0;
  for (const NamedPart& name : named) {
    if (name.number <= last)
      throw ApiError("InvalidPartOrder",
                     "The list of parts was not in ascending order. The parts list must be "
                     "specified in order by part number.");
    last = name.number;
    const auto part = upload.parts.find(name.number);
    if (part == upload.parts.end() ||
        to_hex(part->second.md5) != std::string(without_quotes(name.etag)))
      throw ApiError("InvalidPart",
                     "One or more of the specified parts could not be found. The part may not "
                     "have been uploaded, or the specified entity tag may not match the part's "
                     "entity tag.")
          .with("PartNumber", std::to_string(name.number))
          .with("ETag", std::string(without_quotes(name.etag)));
    parts.push_back(&part->second);
  }
  for (std::size_t i = 0; i + 1 < parts.size(); ++i)
    if (parts[i]->body.size() < kSmallestPart)
      throw ApiError("EntityTooSmall",
                     "Your proposed upload is smaller than the minimum allowed size")
          .with("ProposedSize", std::to_string(parts[i]->body.size()))
          .with("MinSizeAllowed", std::to_string(kSmallestPart))
          .with("PartNumber", std::to_string(named[i].number))
          .with("ETag", to_hex(parts[i]->md5));
  return parts;
}

Object joined(const Upload& upload, const std::vector<const Part*>& parts) {
  Object object{.description = upload.description, .tags = upload.tags};
  std::string sums, checksums;
  for (const Part* part : parts) {
    object.body.append(part->body);
    object.part_sizes.push_back(part->body.size());
    sums += part->md5;
    const auto sum =
        upload.algorithm ? part->checksums.find(*upload.algorithm) : part->checksums.end();
    if (sum != part->checksums.end()) checksums += base::base64_decode(sum->second).value_or("");
  }
  object.etag = fmt::format("{}-{}", to_hex(digest_of(Algorithm::kMd5, sums)), parts.size());
  if (upload.algorithm && upload.full_object) {
    Digest digest(*upload.algorithm);
    each_summed(object.body, [&](std::span<const char> part) { digest.update(part); });
    object.checksums[*upload.algorithm] = base::base64_encode(digest.finish());
  } else if (!checksums.empty()) {
    object.checksums[*upload.algorithm] = fmt::format(
        "{}-{}", base::base64_encode(digest_of(*upload.algorithm, checksums)), parts.size());
  }
  return object;
}

void check(const Object& object, const Expected& expected) {
  for (const auto& [algorithm, value] : expected.checksums) {
    const auto own = object.checksums.find(algorithm);
    if (own == object.checksums.end() || own->second != value)
      throw ApiError("BadDigest",
                     "The checksum you specified did not match the calculated checksum.");
  }
  if (expected.bytes && *expected.bytes != object.body.size())
    throw ApiError("InvalidRequest",
                   fmt::format("The provided 'x-amz-mp-object-size' header value {} does not match "
                               "what was computed: {}",
                               *expected.bytes, object.body.size()));
}

Time next_midnight(Time t) {
  const auto since = t.time_since_epoch();
  const Duration rest = since % kDay;
  return rest == Duration::zero() ? t : t + (kDay - rest);
}

}  // namespace

const Bucket& Store::bucket(const std::string& name) const {
  const auto found = buckets_.find(name);
  if (found == buckets_.end())
    throw ApiError("NoSuchBucket", "The specified bucket does not exist", 404)
        .with("BucketName", name);
  return found->second;
}

Bucket& Store::find(const std::string& name) { return const_cast<Bucket&>(bucket(name)); }

const Object& Store::object(const std::string& name, const std::string& key) const {
  const Bucket& in = bucket(name);
  const auto found = in.objects.find(key);
  if (found == in.objects.end())
    throw ApiError("NoSuchKey", "The specified key does not exist.", 404).with("Key", key);
  return found->second;
}

const Upload& Store::upload(const std::string& name, const std::string& id,
                            const std::string& key) const {
  const Bucket& in = bucket(name);
  const auto found = in.uploads.find(id);
  if (found == in.uploads.end() || found->second.key != key) throw no_such_upload(id);
  return found->second;
}

Upload& Store::find_upload(const std::string& bucket, const std::string& id,
                           const std::string& key) {
  return const_cast<Upload&>(upload(bucket, id, key));
}

void Store::create_bucket(const std::string& name, const std::string& region) {
  if (!is_bucket_name(name))
    throw ApiError("InvalidBucketName", "The specified bucket is not valid.")
        .with("BucketName", name);
  if (buckets_.contains(name))
    throw ApiError("BucketAlreadyOwnedByYou",
                   "Your previous request to create the named bucket succeeded and you already "
                   "own it.",
                   409)
        .with("BucketName", name);
  buckets_[name] = {.created = simulation_.now(), .region = region};
  log_.append(events::BucketCreated{.time = simulation_.now(), .bucket = name});
}

void Store::delete_bucket(const std::string& name) {
  if (!bucket(name).objects.empty())
    throw ApiError("BucketNotEmpty", "The bucket you tried to delete is not empty", 409)
        .with("BucketName", name);
  const Bucket& doomed = bucket(name);
  for (const auto& [id, upload] : doomed.uploads) count(doomed, 0, bytes_of(upload));
  buckets_.erase(name);
  log_.append(events::BucketDeleted{.time = simulation_.now(), .bucket = name});
}

void Store::set_tags(const std::string& bucket, Tags tags) { find(bucket).tags = std::move(tags); }

void Store::set_tags(const std::string& bucket, const std::string& key, Tags tags) {
  object(bucket, key);
  find(bucket).objects.at(key).tags = std::move(tags);
}

void Store::set_lifecycle(const std::string& bucket, std::vector<LifecycleRule> rules) {
  Bucket& in = find(bucket);
  in.lifecycle = std::move(rules);
  for (const auto& [id, upload] : in.uploads) expire_later(bucket, upload);
}

const Object& Store::put(const std::string& bucket, const std::string& key, Object object) {
  Bucket& in = find(bucket);
  object.last_modified = simulation_.now();
  const auto before = in.objects.find(key);
  count(in, object.body.size(), before == in.objects.end() ? 0 : before->second.body.size());
  const Object& now = in.objects[key] = std::move(object);
  log_.append(events::ObjectStored{.time = simulation_.now(),
                                   .bucket = bucket,
                                   .key = key,
                                   .bytes = static_cast<std::int64_t>(now.body.size()),
                                   .etag = now.etag});
  if (stored_) stored_(bucket, key);
  return now;
}

bool Store::remove(const std::string& bucket, const std::string& key) {
  Bucket& in = find(bucket);
  const auto found = in.objects.find(key);
  if (found == in.objects.end()) return false;
  count(in, 0, found->second.body.size());
  in.objects.erase(found);
  log_.append(events::ObjectRemoved{.time = simulation_.now(), .bucket = bucket, .key = key});
  return true;
}

std::string Store::begin_upload(const std::string& bucket, Upload upload) {
  Bucket& in = find(bucket);
  upload.initiated = simulation_.now();
  std::string id;
  for (int i = 0; i < 4; ++i) id += fmt::format("{:016x}", ids_.next());
  expire_later(bucket, in.uploads[id] = std::move(upload));
  return id;
}

const Part& Store::put_part(const std::string& bucket, const std::string& id,
                            const std::string& key, int number, Part part) {
  Upload& upload = find_upload(bucket, id, key);
  part.last_modified = simulation_.now();
  const auto before = upload.parts.find(number);
  count(this->bucket(bucket), part.body.size(),
        before == upload.parts.end() ? 0 : before->second.body.size());
  return upload.parts[number] = std::move(part);
}

const Object& Store::complete_upload(const std::string& bucket, const std::string& id,
                                     const std::string& key, const std::vector<NamedPart>& parts,
                                     const Expected& expected) {
  const auto done = completed_.find(id);
  if (done != completed_.end() && done->second == key) return object(bucket, key);
  const Upload& upload = this->upload(bucket, id, key);
  if (parts.empty())
    throw ApiError("MalformedXML",
                   "The XML you provided was not well-formed or did not validate against our "
                   "published schema");
  Object object = joined(upload, chosen(upload, parts));
  check(object, expected);
  count(this->bucket(bucket), 0, bytes_of(upload));
  find(bucket).uploads.erase(id);
  completed_[id] = key;
  return put(bucket, key, std::move(object));
}

void Store::abort_upload(const std::string& bucket, const std::string& id, const std::string& key) {
  count(this->bucket(bucket), 0, bytes_of(upload(bucket, id, key)));
  find(bucket).uploads.erase(id);
}

namespace {

void bring_up(Store::Usage& usage, Time now) {
  const auto held = std::chrono::duration<double>(now - usage.counted);
  if (usage.bytes > 0) usage.byte_seconds += static_cast<double>(usage.bytes) * held.count();
  usage.counted = now;
}

}  // namespace

Store::Usage& Store::usage_of(const std::string& bucket) {
  const auto found = buckets_.find(bucket);
  return usage_[found == buckets_.end() ? std::string() : found->second.region];
}

void Store::count(const Bucket& bucket, std::uint64_t more, std::uint64_t less) {
  Usage& usage = usage_[bucket.region];
  bring_up(usage, simulation_.now());
  usage.bytes += more - less;
}

Store::Usage Store::usage(const std::string& region) const {
  const auto found = usage_.find(region);
  if (found == usage_.end()) return {};
  Usage usage = found->second;
  bring_up(usage, simulation_.now());
  return usage;
}

std::uint64_t Store::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& [region, usage] : usage_) sum += usage.bytes;
  return sum;
}

void Store::expire_later(const std::string& bucket, const Upload& upload) {
  for (const LifecycleRule& rule : find(bucket).lifecycle) {
    if (!rule.enabled || !upload.key.starts_with(rule.prefix)) continue;
    const Time due = next_midnight(upload.initiated + rule.days * kDay);
    simulation_.at(std::max(due, simulation_.now()), [this, bucket] { expire_uploads(bucket); });
  }
}

void Store::expire_uploads(const std::string& name) {
  const auto found = buckets_.find(name);
  if (found == buckets_.end()) return;
  Bucket& bucket = found->second;
  for (const LifecycleRule& rule : bucket.lifecycle) {
    if (!rule.enabled) continue;
    std::erase_if(bucket.uploads, [&](const auto& entry) {
      const auto& [id, upload] = entry;
      if (!upload.key.starts_with(rule.prefix) ||
          next_midnight(upload.initiated + rule.days * kDay) > simulation_.now())
        return false;
      count(bucket, 0, bytes_of(upload));
      log_.append(
          events::UploadExpired{.time = simulation_.now(), .bucket = name, .key = upload.key});
      return true;
    });
  }
}

}  // namespace sim::objects
