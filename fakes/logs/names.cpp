#include "fakes/logs/names.h"

#include <fmt/format.h>

#include <charconv>

#include "base/text/base64.h"

namespace fakes::logs {
namespace {

constexpr std::size_t kTimeDigits = 36, kNumberDigits = 20;

template <class Number>
Number number_of(std::string_view digits) {
  Number number{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.front() == '-')
    throw invalid_token();
  return number;
}

}  // namespace

ApiError invalid_token() {
  return ApiError("InvalidParameterException", "The specified nextToken is invalid.");
}

std::string group_arn(const Call& call, const std::string& group) {
  const auto& config = call.cloud.config();
  return fmt::format("arn:aws:logs:{}:{}:log-group:{}", config.region, config.account_id, group);
}

std::string event_id(const sim::logs::Position& position) {
  return fmt::format("{:0{}}{:0{}}", position.time, kTimeDigits, position.number, kNumberDigits);
}

sim::logs::Position position_of_token(std::string_view digits) {
  if (digits.size() != kTimeDigits + kNumberDigits) throw invalid_token();
  return {number_of<std::int64_t>(digits.substr(0, kTimeDigits)),
          number_of<std::uint64_t>(digits.substr(kTimeDigits))};
}

std::string token_after(const std::string& name) { return base::base64_encode(name); }

std::string name_of_token(const std::string& token) {
  auto name = base::base64_decode(token);
  if (!name) throw invalid_token();
  return *std::move(name);
}

}  // namespace fakes::logs
