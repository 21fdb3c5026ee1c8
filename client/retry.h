// Retries as the AWS SDKs' "standard" mode does them
// (https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html).
#pragma once

#include <string_view>

#include "client/clock.h"
#include "client/environment.h"

namespace client {

// True if a response's code means that the credentials have expired.
bool has_expired(std::string_view code);
// Whether a response is worth asking again: throttling codes, timeouts, statuses 500, 502, 503 and
// 504, and expired credentials, as a role's are renewed. InsufficientInstanceCapacity, which has
// status 500, is an answer: capacity does not come back within seconds.
bool is_transient(int status, std::string_view code);

// Limits retries if the service fails for all requests. The quota is 500 tokens. A retry costs 5,
// after a connection error 10. A success after retries returns their tokens, and a success at the
// first attempt returns 1.
class RetryQuota {
 public:
  bool take(int cost);  // false: there are not enough
  void give(int cost);

 private:
  int tokens_ = 500;
};

inline constexpr int kRetryCost = 5;
inline constexpr int kTransportRetryCost = 10;

// Full jitter: uniform in [0, min(2^retry s, 20 s)]; `retry` counts from 0.
Duration backoff(int retry, const RandomBits& random);

}  // namespace client
