// The objects of an S3 bucket, as a client sees them (Amazon S3 API Reference, REST API).
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/credentials.h"

namespace spottrain {

// S3 is unreachable or refuses; the message has the request and the reason. It does not show
// whether an object exists.
struct BucketError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// An object was replaced or removed while it was read.
struct ObjectChanged : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The address of a bucket.
struct BucketAddress {
  std::string bucket, region;
  std::string url;  // the bucket's URL, without a slash at its end
};
// The region: AWS_REGION, else AWS_DEFAULT_REGION, else the instance's region. Throws BucketError
// if all are unknown.
std::string region_of(const client::Environment& environment, client::MetadataClient& imds);
// The address: AWS_ENDPOINT_URL_S3, else AWS_ENDPOINT_URL, with the bucket in the path. Without
// these variables it is https://BUCKET.s3.REGION.amazonaws.com. A bucket with a dot in its name is
// also in the path, because the certificate does not cover such names.
BucketAddress address_of(const std::string& bucket, const std::string& region,
                         const client::Environment& environment);

// Reads and writes the objects of one bucket. After an error that may be temporary, a request is
// tried again, up to thirty times, with pauses (client/retry.h). Such errors are: no connection,
// throttling, a status of 500 to 504, expired credentials. All functions throw BucketError. Not
// thread-safe.
class Bucket {
 public:
  // All references must outlive the bucket.
  Bucket(BucketAddress address, client::Http& http, client::Clock& clock,
         client::Credentials& credentials, client::RandomBits random);

  // Lists the keys that begin with the prefix, in S3's order.
  std::vector<std::string> keys(const std::string& prefix);
  // Reads the object in ranges of kPartBytes. Empty if it does not exist or is larger than the
  // limit. Throws ObjectChanged.
  struct Object {
    std::uint64_t size = 0;
    std::string bytes;  // empty if `size` exceeds the limit
  };
  std::optional<Object> get(const std::string& key, std::uint64_t most_bytes);
  // Writes an object. When it returns, the object is durable: S3 has compared its CRC-32 with the
  // bytes that arrived.
  void put(const std::string& key, std::string bytes);
  // Removes an object. A missing object is no error.
  void remove(const std::string& key);

  // ---- uploads in parts of kPartBytes, the last one smaller; the object exists when it is
  // completed
  static constexpr std::size_t kPartBytes = 8 << 20;
  struct Part {
    std::string etag, crc32;
  };
  std::string begin_upload(const std::string& key);
  Part put_part(const std::string& key, const std::string& upload, int number, std::string bytes);
  void complete_upload(const std::string& key, const std::string& upload,
                       const std::vector<Part>& parts);
  void abort_upload(const std::string& key, const std::string& upload);

 private:
  struct Request;
  client::HttpRequest signed_request(const Request& request);
  client::HttpResponse ask(const Request& request);

  const BucketAddress address_;
  client::Http& http_;
  client::Clock& clock_;
  client::Credentials& credentials_;
  const client::RandomBits random_;
};

}  // namespace spottrain
