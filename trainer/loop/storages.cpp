#include "trainer/loop/storages.h"

#include <chrono>
#include <thread>

#include "client/production/curl_http.h"
#include "client/production/environment.h"
#include "client/s3_uri.h"
#include "trainer/bucket/bucket.h"
#include "trainer/checkpoint/bucket_storage.h"
#include "trainer/checkpoint/folder_storage.h"

namespace spottrain {
namespace {

struct MachineClock : client::Clock {
  client::Time now() override {
    return std::chrono::floor<client::Duration>(std::chrono::system_clock::now());
  }
  void sleep(client::Duration duration) override { std::this_thread::sleep_for(duration); }
};

// A bucket with its HTTP client, clock and credentials.
struct ReachedBucket {
  explicit ReachedBucket(const std::string& name)
      : bucket(address_of(name, region_of(environment, imds), environment), http, clock,
               credentials, client::system_random()) {}

  MachineClock clock;
  client::Environment environment = client::process_environment();
  client::CurlHttp http{client::ca_file_of(environment)};
  client::MetadataClient imds{http, clock, client::metadata_endpoint(environment)};
  client::Credentials credentials{http, imds, clock, environment};
  Bucket bucket;
};

class ReachedBucketStorage : private ReachedBucket, public BucketStorage {
 public:
  explicit ReachedBucketStorage(const client::S3Uri& uri)
      : ReachedBucket(uri.bucket), BucketStorage(bucket, uri) {}
};

}  // namespace

std::unique_ptr<Storage> storage_for_training(const std::string& name) {
  if (const auto uri = client::parse_s3_uri(name))
    return std::make_unique<ReachedBucketStorage>(*uri);
  return FolderStorage::for_training(name);
}

std::unique_ptr<Storage> storage_to_look_at(const std::string& name) {
  if (const auto uri = client::parse_s3_uri(name))
    return std::make_unique<ReachedBucketStorage>(*uri);
  return std::make_unique<FolderStorage>(name);
}

}  // namespace spottrain
