// Amazon S3's state: buckets, objects and multipart uploads. A read or a list returns the latest
// write (S3 User Guide, "Amazon S3 data consistency model").
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cloud/error.h"
#include "sim/events/event_log.h"
#include "sim/kernel/random.h"
#include "sim/kernel/simulation.h"
#include "sim/objects/body.h"
#include "sim/objects/digest.h"

namespace sim::objects {

using cloud::ApiError;

// The metadata that a client sends with an object and gets back with it.
struct Description {
  std::optional<std::string> content_type, cache_control, content_disposition, content_encoding,
      content_language, website_redirect_location;
  // Encryption is reported as requested; the bytes are not encrypted.
  std::optional<std::string> encryption, key;
  std::optional<bool> bucket_key;
  std::optional<Time> expires = {};
  std::map<std::string, std::string> metadata;  // x-amz-meta-…, by the rest of the name
  std::string storage_class = "STANDARD";
};

using Tags = std::map<std::string, std::string>;
using Checksums = std::map<Algorithm, std::string>;  // base64; with "-N" of an upload in N parts

struct Object {
  Body body;
  std::string etag;  // without quotes
  Time last_modified{};
  Description description = {};
  Tags tags = {};
  Checksums checksums = {};
  std::vector<std::uint64_t> part_sizes = {};  // of an object from a multipart upload
};

struct Part {
  Body body;
  std::string md5;  // bytes
  Time last_modified{};
  Checksums checksums = {};
};

// An incomplete multipart upload.
struct Upload {
  std::string key;
  Time initiated{};
  Description description = {};
  Tags tags = {};
  std::optional<Algorithm> algorithm = {};  // of the object's checksum
  // Whether it is the checksum of all bytes, not of the parts' checksums (S3 User Guide, "Using
  // part-level checksums for multipart uploads").
  bool full_object = false;
  std::map<int, Part> parts = {};  // by number, from 1 on
};

// The only lifecycle rule that has an effect. It aborts an upload that is still incomplete the
// given number of days after its begin, at the next midnight UTC (S3 User Guide, "Lifecycle and
// other bucket configurations").
struct LifecycleRule {
  std::string id, prefix;
  int days = 0;
  bool enabled = true;
};

struct Bucket {
  Time created{};
  std::string region = {};                     // empty: the cloud's own
  std::map<std::string, Object> objects = {};  // by key, in the order of its bytes, as S3 lists
  std::map<std::string, Upload> uploads = {};  // by ID
  Tags tags = {};
  std::vector<LifecycleRule> lifecycle = {};
};

// A part as the client names it to complete an upload.
struct NamedPart {
  int number = 0;
  std::string etag;
};

// The client's own description of the object, which the joined parts must match.
struct Expected {
  Checksums checksums = {};
  std::optional<std::uint64_t> bytes = {};
};

// All buckets of the account, with objects and uploads. fakes/s3 parses requests and calls this
// class. Functions throw ApiError with S3's codes (S3 API reference, "Error responses").
class Store {
 public:
  Store(Simulation& simulation, EventLog& log, const Streams& streams)
      : simulation_(simulation), log_(log), ids_(streams.stream("s3-upload")) {}

  const std::map<std::string, Bucket>& buckets() const { return buckets_; }
  const Bucket& bucket(const std::string& name) const;                            // or NoSuchBucket
  const Object& object(const std::string& bucket, const std::string& key) const;  // or NoSuchKey
  const Upload& upload(const std::string& bucket, const std::string& id,
                       const std::string& key) const;  // or NoSuchUpload

  // Checks the name by S3's rules. Throws BucketAlreadyOwnedByYou if the bucket exists.
  void create_bucket(const std::string& name, const std::string& region = {});
  void delete_bucket(const std::string& name);  // or BucketNotEmpty
  void set_tags(const std::string& bucket, Tags tags);
  void set_tags(const std::string& bucket, const std::string& key, Tags tags);
  void set_lifecycle(const std::string& bucket, std::vector<LifecycleRule> rules);

  // Replaces an object with the same key; the object's time is now.
  const Object& put(const std::string& bucket, const std::string& key, Object object);
  // False if there was no such object.
  bool remove(const std::string& bucket, const std::string& key);

  // The new upload's ID.
  std::string begin_upload(const std::string& bucket, Upload upload);
  const Part& put_part(const std::string& bucket, const std::string& id, const std::string& key,
                       int number, Part part);
  // Joins the parts. A repeated call returns the first call's object. Throws InvalidPart,
  // InvalidPartOrder, or EntityTooSmall (all parts except the last have 5 MiB or more). Throws
  // BadDigest or InvalidRequest if the object is not as expected; the upload then remains.
  const Object& complete_upload(const std::string& bucket, const std::string& id,
                                const std::string& key, const std::vector<NamedPart>& parts,
                                const Expected& expected = {});
  void abort_upload(const std::string& bucket, const std::string& id, const std::string& key);

  // Counts a request that is charged: it writes or lists, or it reads (S3 pricing, "Requests").
  // `bucket` may be unknown: its request is charged in the cloud's own region.
  void count_write(const std::string& bucket = {}) { ++usage_of(bucket).writes; }
  void count_read(const std::string& bucket = {}) { ++usage_of(bucket).reads; }
  // For the bill of a region (Bucket::region).
  struct Usage {
    std::uint64_t writes = 0, reads = 0;  // requests
    std::uint64_t bytes = 0;              // stored, including parts of uploads
    double byte_seconds = 0;              // bytes × seconds
    Time counted{};                       // until when byte_seconds is counted
  };
  // Until now.
  Usage usage(const std::string& region = {}) const;
  std::uint64_t bytes() const;  // in all regions

  // Called with bucket and key after each object is stored; one listener.
  using Stored = std::function<void(const std::string& bucket, const std::string& key)>;
  void on_stored(Stored stored) { stored_ = std::move(stored); }

  BodyFile& bytes_file() { return file_; }

 private:
  Bucket& find(const std::string& name);
  Upload& find_upload(const std::string& bucket, const std::string& id, const std::string& key);
  Usage& usage_of(const std::string& bucket);
  void count(const Bucket& bucket, std::uint64_t more, std::uint64_t less);
  void expire_later(const std::string& bucket, const Upload& upload);
  void expire_uploads(const std::string& bucket);

  Simulation& simulation_;
  EventLog& log_;
  Stream ids_;
  Stored stored_;
  BodyFile file_;
  std::map<std::string, Bucket> buckets_;
  std::map<std::string, std::string> completed_;  // keys of objects, by the ID of their upload
  std::map<std::string, Usage> usage_;            // by region
};

}  // namespace sim::objects
