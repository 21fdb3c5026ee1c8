// A client of the instance metadata service, version 2 only: it gets a session token by PUT and
// sends it with every read.
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
    absent,  // 404: the item does not exist now
    failed,  // anything else; `text` has the reason
  };
  Kind kind = Kind::failed;
  std::string text;
};

// The endpoint: AWS_EC2_METADATA_SERVICE_ENDPOINT, as in AWS's clients, else
// http://169.254.169.254.
std::string imds_endpoint();

// Not thread-safe, except wake().
class Imds {
 public:
  // Throws std::invalid_argument unless the endpoint begins with http:// or https://.
  Imds(const std::string& endpoint, std::chrono::milliseconds timeout);
  ~Imds();

  // The body of /latest/PATH, such as "meta-data/spot/instance-action". It requests a token if
  // there is none, and once more after a 401. It follows neither proxies nor redirections, and a
  // body above 64 KiB is a failure.
  ImdsAnswer get(const std::string& path);

  // Waits. wake() ends the wait early; get() then fails.
  void wait(std::chrono::milliseconds duration);
  bool woken() const;
  // Ends a get() or wait() that runs or begins. Any thread may call it.
  void wake();

 private:
  struct Transfer;
  struct Reply {
    long status = 0;  // 0: no answer, and body has the reason
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
