#include "sim/guest/fiber/operator_aws.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "api/json.h"
#include "api/percent.h"
#include "api/protocol.h"
#include "api/sagemaker.h"
#include "api/value.h"
#include "fakes/spotinst/spotinst.h"
#include "sim/events/event.h"

namespace sim::guest {
namespace {

namespace http = boost::beast::http;
using nlohmann::json;

// The clock reads of Python's start, 1 µs each, until aws-cli sends its first request; measured in
// process guests.
constexpr Duration kStart = 11ms;
constexpr int kCurlRefused = 22, kCurlTimedOut = 28;
constexpr int kRefused = 254, kNoAnswer = 255, kWaitFailed = 255;
// botocore's read timeout and number of attempts (mode legacy).
constexpr Duration kTimeout = 60s;
constexpr int kAttempts = 5;
// botocore's waiters-2.json, TrainingJobCompletedOrStopped.
constexpr Duration kLook = 120s;
constexpr int kLooks = 180;

}  // namespace

int OperatorAws::run(const AwsCommand& command) {
  program_.spend(kStart);
  return std::visit([this](const auto& one) { return carry_out(one); }, command);
}

// The signature is not checked.
void OperatorAws::sign(fakes::Request& request, const char* service) const {
  request.set(http::field::authorization,
              fmt::format("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/{}/{}/{}/aws4_request, "
                          "SignedHeaders=host, Signature=0",
                          iso_seconds(simulation_.now()).substr(0, 10), region_, service));
}

bool OperatorAws::Answer::passes() const {
  constexpr std::string_view kCodes[] = {"Throttl", "RequestLimitExceeded", "TooManyRequests",
                                         "SlowDown", "BandwidthLimitExceeded"};
  if (status == 0 || status >= 500 || status == 429) return true;
  return status >= 400 && std::ranges::any_of(kCodes, [this](std::string_view code) {
           return body.find(code) != body.npos;
         });
}

OperatorAws::Answer OperatorAws::received(fakes::Reply reply) {
  if (reply.delay > kTimeout) {
    program_.spend(kTimeout);
    return {};
  }
  program_.spend(std::max(reply.delay, Duration{}));
  return {static_cast<int>(reply.response.result_int()), std::move(reply.response.body())};
}

OperatorAws::Answer OperatorAws::send(const fakes::Request& request) {
  Answer answer = received(aws_(request));
  for (int attempt = 1; attempt < kAttempts && answer.passes(); ++attempt) {
    program_.spend(from_seconds(random_.uniform() * (1 << (attempt - 1))));
    answer = received(aws_(request));
  }
  return answer;
}

int OperatorAws::told(const Answer& answer) {
  if (console_ && !answer.body.empty()) console_(machine_, answer.body);
  if (answer.ok()) return 0;
  return answer.status == 0 ? kNoAnswer : kRefused;
}

// ---- S3

fakes::Request OperatorAws::s3(http::verb method, const std::string& target) const {
  fakes::Request request(method, target, 11);
  request.set(http::field::host, "s3." + region_ + ".amazonaws.com");
  sign(request, "s3");
  return request;
}

int OperatorAws::carry_out(const MakeBucket& command) {
  fakes::Request request = s3(http::verb::put, "/" + command.bucket);
  if (region_ != "us-east-1")  // which S3 knows by no location constraint
    request.body() = fmt::format(
        "<CreateBucketConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        "<LocationConstraint>{}</LocationConstraint></CreateBucketConfiguration>",
        region_);
  return told(send(request));
}

// All requests run in parallel, as aws-cli sends up to ten at a time. The shortest one ends first.
int OperatorAws::carry_out(const UploadFolder& command) {
  std::vector<std::pair<std::uint64_t, std::string>> files;
  for (const auto& [name, size] : command.files) files.emplace_back(size, name);
  std::ranges::sort(files);
  const Time begin = simulation_.now();
  Time answered = begin;
  std::vector<fakes::Request> again;
  for (const auto& [size, name] : files) {
    const std::string key = command.prefix.empty() ? name : command.prefix + "/" + name;
    const Time there = begin + from_seconds(static_cast<double>(size) /
                                            static_cast<double>(upload_bytes_per_second_));
    program_.spend(std::max(there - simulation_.now(), Duration{}));
    std::string target = "/" + command.bucket + "/";
    api::append_percent(target, key, "/");
    fakes::Request request = s3(http::verb::put, target);
    request.upload = objects::Body(std::make_shared<objects::Blob>(objects::Blob::Modelled{size}));
    fakes::Reply reply = aws_(request);
    const bool stored = reply.delay <= kTimeout && reply.response.result_int() < 300;
    answered = std::max(answered, simulation_.now() + std::min(reply.delay, kTimeout));
    if (!stored) again.push_back(std::move(request));
  }
  program_.spend(answered - simulation_.now());
  const auto fails = [this](const fakes::Request& request) { return told(send(request)) != 0; };
  return std::ranges::count_if(again, fails) > 0 ? 1 : 0;
}

int OperatorAws::carry_out(const ListObjects& command) {
  std::string target = "/" + command.bucket + "?list-type=2&prefix=";
  api::append_percent(target, command.prefix);
  target += command.recursive ? "&encoding-type=url" : "&delimiter=%2F&encoding-type=url";
  const Answer answer = send(s3(http::verb::get, target));
  if (const int status = told(answer); status != 0) return status;
  return answer.body.find("<KeyCount>0</KeyCount>") == std::string::npos ? 0 : 1;
}

// ---- other services

// The signature determines the service, not the host.
OperatorAws::Answer OperatorAws::call(const CallService& command) {
  api::Object object(*command.operation->input.shape);
  api::read_json(command.request, object.shape(), object.get(), api::JsonStyle::kPlain);
  api::HttpRequest made = api::write_request(*command.service, *command.operation, object.get());
  fakes::Request request(http::string_to_verb(made.method), made.path, 11);
  request.set(http::field::host,
              fmt::format("{}.{}.amazonaws.com", command.service->name, region_));
  for (const auto& [name, value] : made.headers) request.set(name, value);
  sign(request, std::string(command.service->name).c_str());
  request.body() = std::move(made.body);
  return send(request);
}

int OperatorAws::carry_out(const CallService& command) { return told(call(command)); }

OperatorAws::Answer OperatorAws::describe(const std::string& training_job) {
  const api::Service& service = api::sagemaker::kService;
  return call({&service, service.find("DescribeTrainingJob"),
               json{{"TrainingJobName", training_job}}.dump()});
}

int OperatorAws::carry_out(const DescribeTrainingJob& command) {
  return told(describe(command.job));
}

int OperatorAws::carry_out(const AwaitTrainingJob& command) {
  for (int look = 1; look <= kLooks; ++look) {
    const Answer answer = describe(command.job);
    if (!answer.ok()) return told(answer), kWaitFailed;
    const std::string status = json::parse(answer.body).value("TrainingJobStatus", "");
    if (status == "Completed" || status == "Stopped") return 0;
    if (status == "Failed") return kWaitFailed;
    if (look < kLooks) program_.spend(kLook);
  }
  return kWaitFailed;
}

// ---- curl

int OperatorAws::run(const CurlCommand& command) {
  fakes::Request request(http::string_to_verb(command.method), command.target, 11);
  request.set(http::field::host, std::string(fakes::spotinst::kHost));
  for (const auto& [name, value] : command.headers) request.set(name, value);
  request.body() = command.body;
  const Answer answer = received(aws_(request));
  if (console_ && !answer.body.empty()) console_(machine_, answer.body);
  if (answer.status == 0) return kCurlTimedOut;
  return answer.ok() ? 0 : kCurlRefused;
}

}  // namespace sim::guest
