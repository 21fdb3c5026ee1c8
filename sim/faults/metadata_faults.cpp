// Faults of the instance metadata service: no answers, late answers and wrong answers.
#include <nlohmann/json.hpp>

#include "sim/faults/kinds.h"
#include "sim/faults/ongoing_faults.h"

namespace sim::faults {
namespace of_metadata {
namespace {

// True if the trouble hides notices. A program that reads notices needs an answer, and a late one
// suffices.
bool hides_notices(const MetadataTrouble& trouble) {
  if (trouble.trouble.status == 0 && trouble.trouble.delay != fakes::kNoAnswer) return false;
  const auto meets = [&](std::string_view path) { return path.find(trouble.path) != path.npos; };
  return meets("/latest/meta-data/spot/instance-action") || meets("/latest/api/token");
}

void begin(const Arguments& arguments, const Strike& strike, Targets& targets,
           fakes::Interference::MetadataTrouble trouble, std::string_view of = "") {
  const cloud::Instance* const instance = struck_instance(arguments, strike, targets);
  if (!instance) return;
  MetadataTrouble begun{.machine = instance->id.value, .path = std::string(of), .trouble = trouble};
  if (const auto* path = arguments.find<std::string>("path")) begun.path = *path;
  if (const auto* times = arguments.find<std::int64_t>("times")) {
    begun.lasting.times = *times;
  } else {
    const auto& time = arguments.get<Duration>("for");
    begun.lasting.until = targets.simulation.now() + time;
    if (hides_notices(begun)) {
      targets.log.append(events::FaultSilence{.time = targets.simulation.now(),
                                              .instance_id = instance->id.value,
                                              .until = iso_milliseconds(*begun.lasting.until)});
    }
    targets.simulation.after(
        time, [&guests = targets.guests, id = instance->id] { guests.metadata_changed(id); });
  }
  targets.ongoing.begin(std::move(begun));
  targets.guests.metadata_changed(instance->id);
}

void answer_with(const Arguments& arguments, const Strike& strike, Targets& targets) {
  begin(arguments, strike, targets,
        {.status = static_cast<int>(arguments.get<std::int64_t>("status"))});
}

void slow(const Arguments& arguments, const Strike& strike, Targets& targets) {
  begin(arguments, strike, targets, {.delay = arguments.get<Duration>("delay")});
}

void down(const Arguments& arguments, const Strike& strike, Targets& targets) {
  begin(arguments, strike, targets, {.delay = fakes::kNoAnswer});
}

// The role's credentials are renewed late. The present ones have expired, and AWS refuses them.
void expire_credentials(const Arguments& arguments, const Strike& strike, Targets& targets) {
  const cloud::Instance* const instance = struck_instance(arguments, strike, targets);
  if (!instance) return;
  begin(arguments, strike, targets, {.old_credentials = true}, "iam/security-credentials");
  const auto& lasts = arguments.get<Duration>("for");
  targets.ongoing.begin(
      ApiTrouble{.action = "",
                 .machine = instance->id.value,
                 .trouble = {.error = api::Error{"RequestExpired", "Request has expired.", 400},
                             .effect = false},
                 .lasting = {.times = {}, .until = targets.simulation.now() + lasts}});
  tell_of_calls(targets, lasts);
}

void require_tokens(const Arguments& arguments, const Strike& strike, Targets& targets) {
  if (arguments.get<bool>("later")) targets.cloud.require_imds_v2_of_launches();
  const cloud::Instance* const instance = struck_instance(arguments, strike, targets);
  if (!instance) return;
  targets.cloud.require_imds_v2(instance->id);
  targets.guests.metadata_changed(instance->id);
}

constexpr Parameter kPath{"path", ArgumentType::kText, "", "",
                          "limits the fault to paths that contain this text, such as "
                          "spot/instance-action"};
constexpr Parameter kTimes{"times", ArgumentType::kWhole, "", "", "largest number of requests"};
constexpr Parameter kFor{"for", ArgumentType::kDuration, "1m", "", "duration of the fault"};

constexpr Parameter kStatus[] = {{"status", ArgumentType::kWhole, "500", "",
                                  "HTTP status: 401, 404, 500 or 503", false, 400, 599},
                                 kOneInstance,
                                 kPath,
                                 kTimes,
                                 kFor};
constexpr Parameter kSlow[] = {
    {"delay", ArgumentType::kDuration, "5s", "", "additional time until the response"},
    kOneInstance,
    kPath,
    kTimes,
    kFor};
constexpr Parameter kTokens[] = {kOneInstance,
                                 {"later", ArgumentType::kFlag, "false", "",
                                  "`true`: also for all instances that are launched later"}};
constexpr Parameter kCredentials[] = {kOneInstance,
                                      {"for", ArgumentType::kDuration, "2m", "",
                                       "time until metadata has new "
                                       "credentials"}};
constexpr Parameter kDown[] = {kOneInstance, kPath, kTimes, kFor};

constexpr Trial kStatusTrials[] = {{Trial::At::kMetadata, "", "for: 15s"},
                                   {Trial::At::kMetadata, "", "status: 401, for: 15s"},
                                   {Trial::At::kMetadata, "", "status: 503, times: 1"},
                                   {Trial::At::kEvent, "trainer.start", "for: 10m"},
                                   {Trial::At::kEvent, "instance.notice", "for: 15s"}};

constexpr Trial kSlowTrials[] = {{Trial::At::kMetadata, "", "for: 15s"}};

constexpr Trial kDownTrials[] = {{Trial::At::kMetadata, "", "for: 15s"},
                                 {Trial::At::kEvent, "trainer.start", "for: 10m"},
                                 {Trial::At::kEvent, "instance.notice", "for: 15s"}};

// After training has begun, only the poll for notices meets this fault. Later instances would
// repair the damage of an earlier one.
constexpr Trial kTokensTrials[] = {{Trial::At::kEvent, "instance.boot", "later: true"},
                                   {Trial::At::kEvent, "trainer.start", "later: true"}};

// For strikes during calls see api-expired.
constexpr Trial kCredentialsTrials[] = {{Trial::At::kEvent, "instance.boot", ""},
                                        {Trial::At::kEvent, "trainer.start", ""},
                                        {Trial::At::kEvent, "trainer.finished", ""},
                                        {Trial::At::kEvent, "instance.notice", ""}};

constexpr Kind kKinds[] = {
    {.name = "imds-error",
     .does = "requests for instance metadata fail with an HTTP status",
     .remedy = "checks the HTTP status of metadata requests (curl -f), and tries again. It "
               "accepts only a response 200 as a notice or a value",
     .parameters = kStatus,
     .lasts = true,
     .strike = answer_with,
     .trials = kStatusTrials},
    {.name = "imds-slow",
     .does = "responses of instance metadata are late",
     .remedy = "limits the time of each metadata request (curl --max-time) and asks again",
     .parameters = kSlow,
     .lasts = true,
     .strike = slow,
     .trials = kSlowTrials},
    {.name = "imds-down",
     .does = "requests for instance metadata get no response",
     .remedy = "limits the time of each metadata request (curl --max-time), tries again, and "
               "continues to train",
     .parameters = kDown,
     .lasts = true,
     .strike = down,
     .trials = kDownTrials},
    {.name = "imds-v2-required",
     .does = "after the strike, instance metadata refuses requests without a token (401)",
     .remedy = "gets a token first (PUT /latest/api/token) and sends it with each metadata request",
     .parameters = kTokens,
     .lasts = true,
     .strike = require_tokens,
     .trials = kTokensTrials},
    {.name = "credentials-expired",
     .does = "the credentials of an instance's role expire: metadata shows them as expired, and "
             "AWS refuses them (RequestExpired)",
     .remedy = "lets aws-cli or the SDK fetch credentials from the role at each call, and copies "
               "no credentials into variables or files",
     .parameters = kCredentials,
     .lasts = true,
     .strike = expire_credentials,
     .trials = kCredentialsTrials},
};

}  // namespace
}  // namespace of_metadata

std::span<const Kind> metadata_faults() { return of_metadata::kKinds; }

}  // namespace sim::faults
