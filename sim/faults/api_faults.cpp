// Faults of API calls: errors before or after the effect, late answers, and lost answers.
#include "sim/faults/kinds.h"
#include "sim/faults/ongoing_faults.h"

namespace sim::faults {
namespace of_the_api {
namespace {

Lasting lasting(const Arguments& arguments, const Targets& targets) {
  Lasting lasting;
  if (const auto* times = arguments.find<std::int64_t>("times")) lasting.times = *times;
  if (const auto* time = arguments.find<Duration>("for"))
    lasting.until = targets.simulation.now() + *time;
  if (!lasting.times && !lasting.until) lasting.times = 1;
  return lasting;
}

// Applies to calls that `action` and `machine` name, else to calls like the struck one.
void begin(const Arguments& arguments, const Strike& strike, Targets& targets,
           fakes::Interference::Trouble trouble) {
  const auto* const time = arguments.find<Duration>("for");
  tell_of_calls(targets, time ? *time : Duration{});
  ApiTrouble begun{.action = strike.action,
                   .machine = strike.machine,
                   .trouble = std::move(trouble),
                   .lasting = lasting(arguments, targets),
                   .applies = strike.applies};
  if (const auto* action = arguments.find<std::string>("action"))
    begun.action = *action == "any" ? "" : *action;
  targets.ongoing.begin(std::move(begun));
}

void fail(const Arguments& arguments, const Strike& strike, Targets& targets) {
  const auto& code = arguments.get<std::string>("code");
  const auto* const message = arguments.find<std::string>("message");
  begin(arguments, strike, targets,
        {.error = api::Error{code,
                             message ? *message : "This request failed by a fault of the scenario.",
                             static_cast<int>(arguments.get<std::int64_t>("status"))},
         .effect = arguments.get<bool>("effect")});
}

// EC2 API reference, "Error codes": RequestLimitExceeded, HTTP 503.
void throttle(const Arguments& arguments, const Strike& strike, Targets& targets) {
  begin(arguments, strike, targets,
        {.error = api::Error{"RequestLimitExceeded", "Request limit exceeded.", 503},
         .effect = false});
}

void expire(const Arguments& arguments, const Strike& strike, Targets& targets) {
  begin(arguments, strike, targets,
        {.error = api::Error{"RequestExpired", "Request has expired.", 400}, .effect = false});
}

void slow(const Arguments& arguments, const Strike& strike, Targets& targets) {
  begin(arguments, strike, targets, {.delay = arguments.get<Duration>("delay")});
}

void lose_answer(const Arguments& arguments, const Strike& strike, Targets& targets) {
  begin(arguments, strike, targets, {.error = {}, .effect = true, .delay = fakes::kNoAnswer});
}

void never_arrives(const Arguments& arguments, const Strike& strike, Targets& targets) {
  begin(arguments, strike, targets,
        {.error = api::Error{"NoAnswer", "The request did not arrive.", 503},
         .effect = false,
         .delay = fakes::kNoAnswer});
}

void show_the_past(const Arguments& arguments, const Strike& strike, Targets& targets) {
  const auto& lasts = arguments.get<Duration>("for");
  tell_of_calls(targets, lasts);
  targets.ongoing.begin(
      StaleView{.machine = strike.machine,
                .past = targets.cloud.copy_records(),
                .lasting = {.times = {}, .until = targets.simulation.now() + lasts}});
}

void tags_late(const Arguments& arguments, const Strike&, Targets& targets) {
  targets.ongoing.begin(
      SlowTransition{.transition = "tags-visible",
                     .takes = arguments.get<Duration>("takes"),
                     .lasting = {.times = arguments.get<std::int64_t>("times"), .until = {}}});
}

constexpr Parameter kAction{
    "action", ArgumentType::kAction, "", "",
    "action of the calls, or `any`; by default the action of the trigger's call"};
constexpr Parameter kTimes{"times", ArgumentType::kWhole, "", "",
                           "number of calls; 1 if `for` is not stated either"};
constexpr Parameter kFor{"for", ArgumentType::kDuration, "", "", "duration of the fault"};

constexpr Parameter kFail[] = {
    {"code", ArgumentType::kText, "InternalError", "", "error code of the response"},
    {"message", ArgumentType::kText, "", "", "message of the response; by default spotsim's own"},
    {"status", ArgumentType::kWhole, "500", "", "HTTP status of the response", false, 400, 599},
    {"effect", ArgumentType::kFlag, "false", "",
     "`true`: the call has its effect, although its response is an error"},
    kAction,
    kTimes,
    kFor};
constexpr Parameter kPlain[] = {kAction, kTimes, kFor};
constexpr Parameter kSlow[] = {
    {"delay", ArgumentType::kDuration, "20s", "", "additional time until the response"},
    kAction,
    kTimes,
    kFor};

constexpr Trial kFailTrials[] = {{Trial::At::kCall, "", ""},
                                 {Trial::At::kCall, "", "effect: true"},
                                 {Trial::At::kCall, "", "times: 4"}};

constexpr Trial kThrottleTrials[] = {{Trial::At::kCall, "", "times: 5"},
                                     {Trial::At::kCall, "", "action: any, for: 2m"}};

constexpr Trial kExpireTrials[] = {{Trial::At::kCall, "", ""},
                                   {Trial::At::kCall, "", "action: any, for: 2m"}};

constexpr Trial kSlowTrials[] = {{Trial::At::kCall, "", "delay: 40s"}};

constexpr Trial kLostAnswerTrials[] = {{Trial::At::kCall, "", ""}};

constexpr Trial kLostRequestTrials[] = {{Trial::At::kCall, "", ""}};

constexpr Parameter kStale[] = {
    {"for", ArgumentType::kDuration, "30s", "", "duration of the fault"},
};
constexpr Parameter kTags[] = {
    {"takes", ArgumentType::kDuration, "30s", "", "time until the tags are visible"},
    {"times", ArgumentType::kWhole, "1", "", "number of resources that get tags after the strike"},
};

constexpr Trial kStaleTrials[] = {{Trial::At::kCall, "", ""}};

constexpr Trial kTagsTrials[] = {{Trial::At::kCall, "CreateVolume", ""},
                                 {Trial::At::kCall, "CreateSnapshot", ""},
                                 {Trial::At::kCall, "RunInstances", ""}};

constexpr Kind kKinds[] = {
    {.name = "api-error",
     .does = "an AWS call fails with an error code",
     .remedy =
         "checks the exit status of each AWS call, and tries again after a pause. It avoids a "
         "second effect by a client token, or by a Describe call first",
     .parameters = kFail,
     .lasts = true,
     .strike = fail,
     .trials = kFailTrials},
    {.name = "api-throttled",
     .does = "an AWS call is throttled (RequestLimitExceeded)",
     .remedy = "retries throttled calls with a growing pause (aws-cli: AWS_MAX_ATTEMPTS, "
               "AWS_RETRY_MODE=adaptive), and does not treat an empty answer as a result",
     .parameters = kPlain,
     .lasts = true,
     .strike = throttle,
     .trials = kThrottleTrials},
    {.name = "api-expired",
     .does = "AWS refuses the credentials as expired (RequestExpired)",
     .remedy = "repeats the call, for which aws-cli and SDKs fetch new credentials. It does not "
               "treat the failure as the end of the job",
     .parameters = kPlain,
     .lasts = true,
     .strike = expire,
     .trials = kExpireTrials},
    {.name = "api-slow",
     .does = "the response of an AWS call is late",
     .remedy = "continues to save and to look for interruptions while it waits for the response",
     .parameters = kSlow,
     .lasts = true,
     .strike = slow,
     .trials = kSlowTrials},
    {.name = "api-lost-answer",
     .does = "an AWS call has its effect, but the response is lost",
     .remedy = "repeats the call, and avoids a second effect by a client token, or by a Describe "
               "call first",
     .parameters = kPlain,
     .lasts = true,
     .strike = lose_answer,
     .trials = kLostAnswerTrials},
    {.name = "api-lost-request",
     .does = "an AWS call never arrives, so it has no effect and no response",
     .remedy = "limits the time of each call (aws-cli: --cli-read-timeout) and repeats it",
     .parameters = kPlain,
     .lasts = true,
     .strike = never_arrives,
     .trials = kLostRequestTrials},
    {.name = "stale-describe",
     .does = "Describe calls show instances, volumes, snapshots, spot requests and fleets in "
             "their states at the strike. The fault affects the calls of the trigger's machine, "
             "or all calls if the trigger has none",
     .remedy = "waits until a resource is shown (aws ec2 wait …), and does not create a second "
               "one. Describe calls are eventually consistent",
     .parameters = kStale,
     .lasts = true,
     .strike = show_the_past,
     .trials = kStaleTrials},
    {.name = "tags-late",
     .does = "new tags are not yet visible in Describe calls and to their filters",
     .remedy = "remembers the ID that a Create call returns, and does not rely on a search by tags "
               "just after tagging",
     .parameters = kTags,
     .lasts = true,
     .strike = tags_late,
     .trials = kTagsTrials},
};

}  // namespace
}  // namespace of_the_api

std::span<const Kind> api_faults() { return of_the_api::kKinds; }

}  // namespace sim::faults
