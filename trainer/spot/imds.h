// The instance metadata service, version 2 only: a session token by PUT goes with every read.
// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-service.html
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

namespace spottrain {

struct ImdsAnswer {
  enum class Kind {
    found,   // 200: `text` is the body
    absent,  // 404: there is no such thing now
    failed,  // anything else, `text` says what: never an answer to the question
  };
  Kind kind = Kind::failed;
  std::string text;
};

// AWS_EC2_METADATA_SERVICE_ENDPOINT, as AWS's own clients call it, else http://169.254.169.254.
std::string imds_endpoint();

// Not thread-safe, except wake().
class Imds {
 public:
  // Throws std::invalid_argument unless the endpoint begins with http:// or https://.
  Imds(const std::string& endpoint, std::chrono::milliseconds timeout);
  ~Imds();

  // The body of /latest/PATH, as in "meta-data/spot/instance-action". A token is asked for when
  // there is none, and once more after a 401. Neither proxies nor redirections are followed, and a
  // body above 64 KiB is a failure.
  ImdsAnswer get(const std::string& path);

  // Waits; ends early, as get does with a failure, once wake() was called.
  void wait(std::chrono::milliseconds duration);
  bool woken() const;
  // Ends a get or wait that runs or begins. Any thread may call it.
  void wake();

 private:
  struct Transfer;
  struct Reply {
    long status = 0;  // 0: none came, and body says why
    std::string body;
  };
  Reply send(const char* method, const std::string& path, const std::string& header);
  bool renew_token(std::string& why);

  std::string endpoint_;
  std::chrono::milliseconds timeout_;
  std::string token_;
  std::unique_ptr<Transfer> transfer_;
  std::atomic<bool> woken_{false};
};

}  // namespace spottrain
