// The endpoint of all services: determines the service of a request and calls the service's
// handler.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <system_error>

#include "api/error.h"
#include "api/percent.h"
#include "api/protocol.h"
#include "api/rest_route.h"
#include "api/value.h"
#include "fakes/authorisation/authorisation.h"
#include "fakes/front.h"
#include "fakes/http/printable.h"
#include "fakes/http_messages.h"
#include "fakes/iam_names.h"
#include "fakes/regions.h"
#include "fakes/request_ids.h"
#include "fakes/s3/wire.h"
#include "fakes/signed_scope.h"
#include "fakes/sns/links.h"
#include "fakes/spotinst/spotinst.h"
#include "fakes/sts/web_identity.h"
#include "fakes/unknown_service.h"
#include "sim/market/pool.h"

namespace fakes {
namespace {

using sim::cloud::ApiError;

// Where the client found this endpoint. AWS's own names are served with TLS.
std::string endpoint_of(const api::HttpRequest& request) {
  const std::string* const host = request.headers.find("host");
  if (host == nullptr) return "";
  return (host->find(".amazonaws.com") != host->npos ? "https://" : "http://") +
         percent_encode_unprintable(*host);
}

void check_version(const api::Service& service, const api::Parameters& parameters) {
  if (service.protocol != api::Protocol::kEc2 && service.protocol != api::Protocol::kQuery) return;
  const std::string version(api::find_parameter(parameters, "Version"));
  if (version.empty())
    throw ApiError("MissingParameter", "The request must contain the parameter Version");
  if (version != service.version)
    throw ApiError("NoSuchVersion", fmt::format("The requested version ({}) of service {} does not "
                                                "exist",
                                                version, service.name));
}

// The processing of one request. The log gets the members that are known by then.
struct Conversation {
  api::HttpRequest http;
  std::string id;
  SignedScope scope;
  std::string region = {};  // that it is for, where the endpoint serves all regions
  const Service* service = nullptr;
  api::Parameters parameters;
  std::string action, result = "ok";
  sim::Duration delay{};
  std::optional<sim::objects::Body> upload = {};
  std::optional<LongBody> download = {};
  std::function<void(Waiter)> pending = {};
  int status = 0;                                 // status that the request asks for
  bool is_link = false;                           // of a message of SNS
  bool needs_no_signature = false;                // AssumeRoleWithWebIdentity
  std::optional<sim::iam::Caller> identity = {};  // where IAM decides
};

class Endpoint {
 public:
  Endpoint(Backend& backend, std::string caller, Access access)
      : backend_(backend),
        caller_(std::move(caller)),
        access_(access),
        ids_(backend.streams.stream("request-id", caller_)) {}

  const Backend& backend() const { return backend_; }

  Reply handle(const Request& request) {
    Conversation it{.http = read_http(request, request.body()),
                    .id = ids_.next(),
                    .delay = backend_.latencies.api,
                    .upload = request.upload};
    if (const auto certificate = sns::certificate_for(it.http)) {
      Response response;
      response.set("Content-Type", "application/x-pem-file");
      response.body() = *certificate;
      return {std::move(response), it.delay, {}};
    }
    api::HttpResponse response = answer(it);
    log_call(backend_, {it.scope.service, it.action, caller_, it.result},
             [&] { return std::move(it.parameters); });
    if (it.pending) return {.pending = std::move(it.pending)};
    return {as_response(std::move(response)), it.delay, std::move(it.download)};
  }

 private:
  api::HttpResponse answer(Conversation& it) {
    api::Error error;
    try {
      return do_request(it);
    } catch (const ApiError& refused) {
      error = {refused.code(), refused.what(), refused.http_status(), refused.details()};
    } catch (const api::Refusal& refused) {
      error = it.service != nullptr ? api::error_of(it.service->model, refused)
                                    : api::Error{"MalformedQueryString", refused.expected};
    } catch (const std::system_error& failed) {
      error = {"InternalError", failed.what(), 500};
    }
    it.result = error.code;
    if (it.service == nullptr)
      return error_of_unknown_service(it.http, it.scope.service, error, it.id);
    if (it.service != &s3_service()) return api::write_error(it.service->model, error, it.id);
    name_place(error, it.http);
    auto http = api::write_error(it.service->model, error, it.id);
    name_region(http, it);
    return http;
  }

  void name_region(api::HttpResponse& response, const Conversation& it) const {
    response.headers.add("x-amz-bucket-region", s3::region_of_bucket(backend_, it.http));
  }

  // For a request in the wrong region: SDKs read the right region from the header or from the
  // element, and try again. Other errors of S3 name the bucket, unless they name the resource more
  // exactly.
  void name_place(api::Error& error, const api::HttpRequest& request) const {
    if (error.code == "AuthorizationHeaderMalformed")
      error.details.emplace_back("Region", backend_.cloud.config().region);
    else if (error.details.empty())
      error.details.emplace_back("Resource", percent_encode_unprintable(request.path));
  }

  api::HttpResponse do_request(Conversation& it) {
    it.action = json_target(it.http);
    const std::string& region = backend_.cloud.config().region;
    const bool anyone = access_ == Access::kAnyone;
    it.is_link = sns::is_link(it.http);
    if (it.is_link) sns::complete_link(it.http);
    const std::string_view rest = rest_json_service_addressed(it.http, backend_);
    if (!rest.empty() && !anyone) refuse_unsigned(it, rest);
    it.needs_no_signature = it.is_link || sts::is_unsigned(it.http);
    it.scope = it.is_link              ? SignedScope{region, "sns"}
               : it.needs_no_signature ? SignedScope{region, "sts"}
               : !rest.empty()         ? SignedScope{"", std::string(rest)}
               : anyone                ? any_scope(it.http)
                                       : signed_scope(it.http, region);
    if (anyone && sim::market::is_region(it.scope.region)) it.region = it.scope.region;
    if (!is_served(it.scope.service))
      it.action = action_of_unknown_service(it.http);
    else
      refuse_cbor(it.http, it.scope.service);
    it.service = &find_service(it.scope.service, json_target(it.http));
    check_served_here(backend_, *it.service);
    if (it.region.empty()) it.region = region_of_s3(it);
    it.delay = latency_of(*it.service, backend_);
    if (backend_.iam->decides() && !it.needs_no_signature) it.identity = identify(it);
    if (!backend_.iam->decides()) note_use_of_key(it);
    const api::Service& model = it.service->model;
    // The signature is that of the compressed body.
    if (model.protocol == api::Protocol::kQuery || model.protocol == api::Protocol::kJson)
      decompress(it.http);
    if (it.service->prepare != nullptr)
      it.service->prepare({it.http, it.upload, backend_, anyone, it.status, it.region});
    it.parameters = api::parameters_of(model, it.http);
    if (const auto action = api::find_parameter(it.parameters, "Action"); !action.empty())
      it.action = action;
    if (!anyone && !is_global(it)) check_region(it.scope.region, backend_, *it.service);
    const api::Operation& operation = operation_of(it);
    return perform(it, operation);
  }

  api::HttpResponse perform(Conversation& it, const api::Operation& operation) {
    const api::Service& model = it.service->model;
    take_short_upload(it, operation);
    api::Object request(*operation.input.shape);
    api::read_request(model, operation, it.http, it.parameters, request.get());
    name_labels(it, operation);
    name_members(it, operation, request.get());
    InterferedCall interfered(backend_, {.action = it.action,
                                         .caller = caller_,
                                         .identity = it.identity ? &*it.identity : nullptr,
                                         .operation = &operation,
                                         .request = request.get()});
    it.delay = interfered.delay(it.delay);
    interfered.before_effect();
    if (it.identity) authorise(it, operation, request.get());
    if (it.service->count != nullptr) it.service->count(backend_, it.action, it.http);
    Call call(backend_);
    call.caller = caller_;
    api::WrittenList written;
    if (model.protocol == api::Protocol::kEc2) call.written = &written;
    const std::uint64_t uploaded = it.upload ? it.upload->size() : it.http.body.size();
    call.upload = std::move(it.upload);
    call.region = it.region;
    if (it.identity) call.identity = &*it.identity;
    call.http = &it.http;
    call.endpoint = endpoint_of(it.http);
    call.is_link = it.is_link;
    const auto response = fakes::perform(call, *it.service, operation, request.get());
    interfered.after_effect();
    if (call.pending) return answer_later(it, operation, std::move(call.pending));
    it.download = std::move(call.download);
    count_transfer(it, uploaded);
    auto http = api::write_response(model, operation, response.get(), it.id, written);
    for (const int status : {it.status, call.status})
      if (status != 0) http.status = status;
    if (operation.name == "HeadBucket") name_region(http, it);
    return http;
  }

  // Refuses a request without a signature in the words of its service.
  [[noreturn]] static void refuse_unsigned(Conversation& it, std::string_view service) {
    it.scope.service = service;
    it.service = &find_service(service);
    throw ApiError("MissingAuthenticationTokenException", "Missing Authentication Token", 403);
  }

  // The region of a request to S3, if the account has several regions. Else empty.
  std::string region_of_s3(const Conversation& it) const {
    const bool several = it.service == &s3_service() && has_further_regions(backend_);
    return several && find_region(backend_, it.scope.region) != nullptr ? it.scope.region : "";
  }

  // Counts the bytes of an object that leave a region, for the bill. The operator is in no region.
  void count_transfer(const Conversation& it, std::uint64_t uploaded) const {
    const sim::cloud::InstanceId instance{caller_};
    if (it.region.empty() || !region_with(backend_, instance).cloud.instances().contains(instance))
      return;
    Backend& caller = region_with(backend_, instance);
    Backend* const bucket = find_region(backend_, it.region);
    if (bucket == nullptr || bucket == &caller) return;
    if (uploaded > 0) caller.sent_to_regions[it.region] += uploaded;
    if (it.download && it.http.method != "HEAD")
      bucket->sent_to_regions[caller.cloud.config().region] += it.download->size;
  }

  // Keys of users, and roles, show their last use even where IAM does not decide.
  void note_use_of_key(const Conversation& it) {
    sim::iam::Account& account = *backend_.iam;
    if (account.users().empty() && account.roles().empty()) return;
    const auto signature = authorisation::read_signature(it.http);
    if (!signature) return;
    account.use_access_key(signature->key_id, std::string(it.service->model.name),
                           signature->region);
    const auto& instances =
        region_with(backend_, sim::cloud::InstanceId{caller_}).cloud.instances();
    const auto instance = instances.find({caller_});
    const bool is_known = account.find_access_key(signature->key_id) != nullptr ||
                          account.find_session(signature->key_id) != nullptr;
    if (!is_known && instance != instances.end())
      account.use_role(role_name(backend_, instance->second), signature->region);
  }

  sim::iam::Caller identify(const Conversation& it) {
    if (access_ == Access::kInProcess)
      return authorisation::caller_in_process(backend_, *it.service, caller_);
    return authorisation::authenticate(backend_, *it.service,
                                       {it.http, it.upload ? &*it.upload : nullptr}, signer_);
  }

  void authorise(const Conversation& it, const api::Operation& operation, const void* request) {
    api::Parameters made;
    const api::Parameters& parameters = authorisation::parameters_of(
        backend_, *it.service, {operation, request, &it.parameters}, made);
    authorisation::authorise({backend_, *it.service, operation, parameters}, *it.identity, caller_,
                             &it.http);
  }

  static api::HttpResponse answer_later(Conversation& it, const api::Operation& operation,
                                        std::function<void(WaitingCaller)> pending) {
    it.pending = [&model = it.service->model, &operation, id = it.id, delay = it.delay,
                  pending = std::move(pending)](Waiter waiter) {
      pending({.listens = std::move(waiter.listens),
               .respond = [&model, &operation, id, delay, answer = std::move(waiter.answer)](
                              const std::shared_ptr<const void>& response) {
                 answer({as_response(api::write_response(model, operation, response.get(), id)),
                         delay,
                         {}});
               }});
    };
    return {};
  }

  // AWS answers these requests at the global endpoint, which is signed for us-east-1: global
  // services and S3's list of buckets. Other services answer for all regions in a few of them.
  static bool is_global(const Conversation& it) {
    const auto& regions = it.service->regions;
    if (std::ranges::find(regions, it.scope.region) != regions.end()) return true;
    return it.scope.region == "us-east-1" &&
           (it.service->global || (it.service == &s3_service() && it.http.path == "/"));
  }

  // Reads a body that is not an object's, even if it arrived as a long body.
  static void take_short_upload(Conversation& it, const api::Operation& operation) {
    constexpr std::uint64_t kMost = 4 << 20;
    const int payload = operation.input.payload;
    const auto& members = operation.input.shape->members;
    const bool of_object =
        payload >= 0 && members[static_cast<std::size_t>(payload)].shape->type == api::Type::kBlob;
    if (!it.upload || of_object) return;
    if (it.upload->size() > kMost)
      throw ApiError("EntityTooLarge", "Your request's body is larger than 4 MiB");
    sim::objects::each_part(*it.upload, [&](std::span<const char> part) {
      it.http.body.append(part.data(), part.size());
    });
    it.upload.reset();
  }

  // For the log, adds the names in the path to the parameters.
  static void name_labels(Conversation& it, const api::Operation& operation) {
    if (operation.uri.find('{') == std::string_view::npos) return;
    const auto labels = api::match_path(operation.uri, it.http.path);
    if (!labels) return;
    for (const auto& [label, text] : *labels)
      it.parameters.push_back({std::string(label), api::percent_decode(text, false)});
  }

  // Also names the members of a short JSON body without structures and lists.
  static void name_members(Conversation& it, const api::Operation& operation, const void* request) {
    constexpr std::size_t kMost = 64 << 10;
    if (it.service->model.protocol != api::Protocol::kJson || it.http.body.size() > kMost) return;
    for (auto& member : api::form_of(*operation.input.shape, request, api::FormStyle::kQuery))
      if (member.name.find('.') == std::string::npos) it.parameters.push_back(std::move(member));
  }

  static const api::Operation& operation_of(Conversation& it) {
    const api::Protocol protocol = it.service->model.protocol;
    const bool by_path =
        protocol == api::Protocol::kRestJson || protocol == api::Protocol::kRestXml;
    const api::Operation* const operation = api::route(it.service->model, it.http, it.parameters);
    if (operation == nullptr && protocol == api::Protocol::kJson)
      throw ApiError("UnknownOperationException",
                     "The action " + it.action + " is not part of this simulated AWS.");
    if (it.action.empty() && !by_path)
      throw ApiError("MissingAction", "No action was supplied with this request.");
    if (operation == nullptr && by_path)
      throw ApiError("NotImplemented",
                     "A request of this form is not part of this simulated AWS: " + it.http.method +
                         " " + percent_encode_unprintable(it.http.path),
                     501);
    if (operation == nullptr)
      throw ApiError("InvalidAction",
                     "The action " + it.action + " is not part of this simulated AWS.");
    check_version(it.service->model, it.parameters);
    it.action = operation->name;
    return *operation;
  }

  Backend& backend_;
  std::string caller_;
  Access access_;
  RequestIds ids_;
  authorisation::Signer signer_;
};

// A caller's endpoints in the regions that the caller has addressed.
class Endpoints {
 public:
  Endpoints(Backend& backend, std::string caller, Access access)
      : backend_(backend), caller_(std::move(caller)), access_(access) {
    of(backend);
  }

  Reply handle(const Request& request) {
    if (!has_further_regions(backend_)) return endpoints_.front()->handle(request);
    const auto [region, service] = signed_scope_of(request);
    return of(region_for(backend_, service, region)).handle(request);
  }

 private:
  Endpoint& of(Backend& region) {
    const auto found = std::ranges::find_if(
        endpoints_, [&](const auto& endpoint) { return &endpoint->backend() == &region; });
    if (found != endpoints_.end()) return **found;
    endpoints_.push_back(std::make_unique<Endpoint>(region, caller_, access_));
    return *endpoints_.back();
  }

  Backend& backend_;
  std::string caller_;
  Access access_;
  std::vector<std::unique_ptr<Endpoint>> endpoints_;
};

}  // namespace

Handler aws(Backend& backend, std::string caller, Access access) {
  const Handler vendor = spotinst::handler(backend, caller);
  const auto endpoint = std::make_shared<Endpoints>(backend, std::move(caller), access);
  return [endpoint, vendor](const Request& request) {
    const bool of_vendor = spotinst::is_host(as_view(request[boost::beast::http::field::host]));
    return of_vendor ? vendor(request) : endpoint->handle(request);
  };
}

}  // namespace fakes
