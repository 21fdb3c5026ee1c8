#include "client/retry.h"

#include <algorithm>
#include <array>
#include <random>

namespace client {

bool has_expired(std::string_view code) {
  return code == "RequestExpired" || code == "ExpiredToken" || code == "ExpiredTokenException";
}

bool is_transient(int status, std::string_view code) {
  static constexpr std::array<std::string_view, 16> kCodes{"Throttling",
                                                           "ThrottlingException",
                                                           "ThrottledException",
                                                           "RequestThrottled",
                                                           "RequestThrottledException",
                                                           "TooManyRequestsException",
                                                           "RequestLimitExceeded",
                                                           "BandwidthLimitExceeded",
                                                           "LimitExceededException",
                                                           "EC2ThrottledException",
                                                           "SlowDown",
                                                           "PriorRequestNotComplete",
                                                           "TransactionInProgressException",
                                                           "ProvisionedThroughputExceededException",
                                                           "RequestTimeout",
                                                           "RequestTimeoutException"};
  if (std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end()) return true;
  if (has_expired(code)) return true;
  if (code == "InsufficientInstanceCapacity") return false;
  return status == 500 || status == 502 || status == 503 || status == 504;
}

bool RetryQuota::take(int cost) {
  if (tokens_ < cost) return false;
  tokens_ -= cost;
  return true;
}

void RetryQuota::give(int cost) { tokens_ = std::min(tokens_ + cost, 500); }

namespace {

// The interface that the standard library's distributions need.
struct Generator {
  using result_type = std::uint32_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return UINT32_MAX; }
  result_type operator()() { return random(); }
  const RandomBits& random;
};

}  // namespace

Duration backoff(int retry, const RandomBits& random) {
  const Duration most = std::min(Duration{1000} * (1 << std::min(retry, 5)), Duration{20'000});
  Generator generator{random};
  return Duration{std::uniform_int_distribution<Duration::rep>(0, most.count())(generator)};
}

}  // namespace client
