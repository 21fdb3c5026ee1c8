// The instance metadata service, versions 1 and 2 (EC2 user guide, "Instance metadata and user
// data").
#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/field.hpp>
#include <charconv>
#include <map>

#include "base/text/base64.h"
#include "fakes/http/http_date.h"
#include "fakes/http/printable.h"
#include "fakes/imds/imds_tree.h"
#include "fakes/regions.h"
#include "sim/events/event.h"

namespace fakes {
namespace {

namespace http = boost::beast::http;

constexpr const char* kTtlHeader = "X-aws-ec2-metadata-token-ttl-seconds";
constexpr const char* kTokenHeader = "X-aws-ec2-metadata-token";
constexpr int kLongestTtl = 21600;

// All versions of the service give the same answers here.
constexpr std::string_view kVersions[] = {
    "1.0",        "2007-01-19", "2007-03-01", "2007-08-29", "2007-10-10", "2007-12-15",
    "2008-02-01", "2008-09-01", "2009-04-04", "2011-01-01", "2011-05-01", "2012-01-12",
    "2014-02-25", "2014-11-05", "2015-10-20", "2016-04-19", "2016-06-30", "2016-09-02",
    "2018-03-28", "2018-08-17", "2018-09-24", "2019-10-01", "2020-10-27", "2021-01-03",
    "2021-03-23", "2021-07-15", "2022-07-09", "2022-09-24", "2024-04-11", "latest"};

// AWS's error page. Scripts search it for the status number.
Response error_page(http::status status) {
  const std::string title =
      fmt::format("{} - {}", static_cast<unsigned>(status), as_view(http::obsolete_reason(status)));
  Response response;
  response.result(status);
  response.set(http::field::content_type, "text/html");
  response.body() = fmt::format(
      "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>\n"
      "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\"\n"
      "\t\"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd\">\n"
      "<html xmlns=\"http://www.w3.org/1999/xhtml\" xml:lang=\"en\" lang=\"en\">\n"
      " <head>\n  <title>{0}</title>\n </head>\n <body>\n  <h1>{0}</h1>\n </body>\n</html>\n",
      title);
  return response;
}

// "/latest/meta-data/x?y" → "latest" and "meta-data/x". Doubled slashes count as one.
std::pair<std::string, std::string> split_path(std::string_view target) {
  std::string path;
  for (const char c : target.substr(0, target.find('?'))) {
    if (c != '/' || path.empty() || path.back() != '/') path += c;
  }
  if (path.starts_with('/')) path.erase(0, 1);
  const auto slash = path.find('/');
  if (slash == std::string::npos) return {path, ""};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

class MetadataService {
 public:
  MetadataService(Backend& backend, sim::cloud::InstanceId instance)
      : backend_(backend),
        id_(std::move(instance)),
        random_(backend.streams.stream("imds-token", id_.value)) {}

  Reply handle(const Request& request) {
    const auto trouble = interfere(request);
    Response response = trouble.status == 0 ? answer(request, trouble.old_credentials)
                                            : error_page(static_cast<http::status>(trouble.status));
    response.set(http::field::server, "EC2ws");
    response.set(http::field::date, http_date(backend_.simulation.now()));
    // AWS's clients use this header to renew a token, also in errors.
    if (const auto left = seconds_left(request); left && trouble.status == 0)
      response.set(kTtlHeader, std::to_string(left->count()));
    backend_.log.append(sim::events::ImdsRequest{
        .time = backend_.simulation.now(),
        .instance_id = id_.value,
        .method = percent_encode_unprintable(as_view(request.method_string())),
        .path = percent_encode_unprintable(as_view(request.target())),
        .status = response.result_int()});
    return {std::move(response), backend_.latencies.imds + trouble.delay};
  }

 private:
  Interference::MetadataTrouble interfere(const Request& request) {
    if (!backend_.interference) return {};
    return backend_.interference->metadata(id_, as_view(request.target()));
  }

  Response answer(const Request& request, bool old_credentials) {
    if (!backend_.imds_enabled || backend_.cloud.instance(id_).spec.imds_disabled)
      return error_page(http::status::forbidden);
    const auto [version, path] = split_path(as_view(request.target()));
    if (path == "api/token") return token(request);
    if (request.method() != http::verb::get && request.method() != http::verb::head) {
      return error_page(http::status::method_not_allowed);
    }
    if (!authorized(request)) return error_page(http::status::unauthorized);
    return read(version, path, old_credentials);
  }

  Response token(const Request& request) {
    if (request.method() != http::verb::put) return error_page(http::status::method_not_allowed);
    // A request through a proxy does not come from the instance itself.
    if (request.count("X-Forwarded-For") > 0) return error_page(http::status::forbidden);
    const auto text = as_view(request[kTtlHeader]);
    int ttl = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ttl);
    const bool number = error == std::errc{} && end == text.data() + text.size();
    if (!number || ttl < 1 || ttl > kLongestTtl) return error_page(http::status::bad_request);

    forget_expired();
    std::string bytes;
    for (int i = 0; i < 5; ++i) {
      const auto word = random_.next();
      for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(word >> shift);
    }
    const std::string fresh = "AQAEA" + base::base64_encode(bytes.substr(0, 36)) + "==";
    tokens_[fresh] = backend_.simulation.now() + std::chrono::seconds{ttl};
    Response response;
    response.set(http::field::content_type, "text/plain");
    response.set(kTtlHeader, std::to_string(ttl));
    response.body() = fresh;
    return response;
  }

  bool authorized(const Request& request) {
    const auto header = request.find(kTokenHeader);
    if (header == request.end()) {
      return !backend_.cloud.instance(id_).spec.imds_v2_required;
    }
    return seconds_left(request).has_value();
  }

  // The remaining validity of the request's token. Empty without a valid one.
  std::optional<std::chrono::seconds> seconds_left(const Request& request) const {
    const auto known = tokens_.find(as_view(request[kTokenHeader]));
    if (known == tokens_.end() || known->second <= backend_.simulation.now()) return {};
    return std::chrono::floor<std::chrono::seconds>(known->second - backend_.simulation.now());
  }

  Response read(const std::string& version, const std::string& path, bool old_credentials) const {
    Response response;
    response.set(http::field::content_type, "text/plain");
    if (version.empty()) {
      response.body() = fmt::format("{}", fmt::join(kVersions, "\n"));
      return response;
    }
    if (std::find(std::begin(kVersions), std::end(kVersions), version) == std::end(kVersions)) {
      return error_page(http::status::not_found);
    }
    auto found = read_metadata(backend_, backend_.cloud.instance(id_), path, old_credentials);
    if (!found) return error_page(http::status::not_found);
    response.set(http::field::content_type, found->content_type);
    response.set(http::field::accept_ranges, "none");
    response.set(http::field::last_modified, http_date(found->modified));
    response.body() = std::move(found->text);
    return response;
  }

  void forget_expired() {
    std::erase_if(tokens_, [&](const auto& t) { return t.second <= backend_.simulation.now(); });
  }

  Backend& backend_;
  sim::cloud::InstanceId id_;
  sim::Stream random_;
  std::map<std::string, sim::Time, std::less<>> tokens_;
};

}  // namespace

Handler imds(Backend& backend, sim::cloud::InstanceId instance) {
  Backend& region = region_with(backend, instance);
  const auto service = std::make_shared<MetadataService>(region, std::move(instance));
  return [service](const Request& request) { return service->handle(request); };
}

}  // namespace fakes
