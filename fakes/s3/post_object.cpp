#include "fakes/s3/post_object.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "api/percent.h"
#include "base/text/base64.h"
#include "base/text/lower_case.h"
#include "base/time/iso_time.h"
#include "fakes/s3/post_form.h"

namespace fakes::s3 {
namespace {

using nlohmann::json;
using sim::cloud::ApiError;

ApiError denied_by(const std::string& why) {
  return ApiError("AccessDenied", "Invalid according to Policy: " + why, 403);
}

// Checks one condition of the form's policy: {"bucket": "b"}, ["eq", "$key", "k"], ["starts-with",
// "$key", "user/"] or ["content-length-range", 1, 10].
void check_condition(const json& condition, const std::map<std::string, std::string>& values,
                     std::size_t size) {
  const auto value = [&](std::string name) {
    if (name.starts_with('$')) name.erase(0, 1);
    const auto found = values.find(base::lower_case(name));
    return found == values.end() ? std::string() : found->second;
  };
  const auto refuse = [&] {
    throw denied_by("Policy Condition failed: " +
                    condition.dump(-1, ' ', false, json::error_handler_t::replace));
  };
  if (condition.is_object()) {
    for (const auto& [name, wanted] : condition.items())
      if (!wanted.is_string() || value(name) != wanted.get<std::string>()) refuse();
    return;
  }
  if (!condition.is_array() || condition.size() != 3 || !condition[0].is_string()) return refuse();
  const std::string kind = base::lower_case(condition[0].get<std::string>());
  if (kind == "content-length-range" && condition[1].is_number_unsigned() &&
      condition[2].is_number_unsigned()) {
    if (size < condition[1].get<std::uint64_t>())
      throw ApiError("EntityTooSmall",
                     "Your proposed upload is smaller than the minimum allowed size");
    if (size > condition[2].get<std::uint64_t>())
      throw ApiError("EntityTooLarge", "Your proposed upload exceeds the maximum allowed size");
    return;
  }
  if (!condition[1].is_string() || !condition[2].is_string()) return refuse();
  const std::string has = value(condition[1].get<std::string>()),
                    wanted = condition[2].get<std::string>();
  if (kind == "starts-with" ? !has.starts_with(wanted) : kind != "eq" || has != wanted) refuse();
}

void check_policy(const Form& form, const std::string& bucket, sim::Time now) {
  if (form.field("policy").empty() ||
      (form.field("x-amz-signature").empty() && form.field("signature").empty()))
    throw ApiError("AccessDenied", "Access Denied", 403);
  const json policy =
      json::parse(base::base64_decode(form.field("policy")).value_or(""), nullptr, false);
  if (!policy.is_object() || !policy.contains("expiration") || !policy["expiration"].is_string())
    throw denied_by("Invalid Policy: Invalid JSON.");
  const auto end = base::parse_iso_time(policy["expiration"].get<std::string>());
  if (!end || now > sim::Time(end->time_since_epoch())) throw denied_by("Policy expired.");
  auto values = form.fields;
  values["bucket"] = bucket;
  for (const json& condition : policy.value("conditions", json::array()))
    check_condition(condition, values, form.file->size());
}

// The object's key. In "user/${filename}", S3 replaces ${filename} by the name of the uploaded
// file.
std::string key_of(const Form& form) {
  constexpr std::string_view kName = "${filename}";
  std::string key = form.field("key");
  if (const auto at = key.find(kName); at != key.npos)
    key.replace(at, kName.size(), form.file_name);
  return key;
}

bool becomes_header(const std::string& field) {
  if (field.starts_with("x-amz-meta-")) return true;
  for (const char* name :
       {"cache-control", "content-type", "content-disposition", "content-encoding", "expires",
        "x-amz-storage-class", "x-amz-server-side-encryption"})
    if (field == name) return true;
  return false;
}

int status_of(const std::string& asked) {
  constexpr int kOk = 200, kCreated = 201, kNoContent = 204;
  return asked == "200" ? kOk : asked == "201" ? kCreated : kNoContent;
}

}  // namespace

void make_put_object(const Incoming& request) {
  api::HttpRequest& http = request.http;
  Form form = read_form(http, request.upload ? &*request.upload : nullptr);
  if (!form.file)
    throw ApiError("InvalidArgument", "POST requires exactly one file upload per request.")
        .with("ArgumentName", "file");
  if (form.field("key").empty())
    throw ApiError("InvalidArgument", "Bucket POST must contain a field named 'key'.")
        .with("ArgumentName", "key");
  const std::string bucket = http.path.substr(1, http.path.find('/', 1) - 1);
  if (!request.anyone) check_policy(form, bucket, request.backend.simulation.now());
  http.method = "PUT";
  http.path = "/" + bucket + "/";
  api::append_percent(http.path, key_of(form), "/");
  http.query.clear();
  std::erase_if(http.headers, [](const auto& header) {
    const std::string name = base::lower_case(header.first);
    return name == "content-type" || name == "content-length";
  });
  for (const auto& [name, value] : form.fields)
    if (becomes_header(name)) http.headers.add(name, value);
  request.upload.reset();
  constexpr std::size_t kLong = 64 * 1024;  // such bodies are in a file
  if (form.file->size() > kLong)
    request.upload.emplace(request.backend.objects.bytes_file().keep(*form.file));
  else
    http.body = std::move(*form.file);
  request.status = status_of(form.field("success_action_status"));
}

}  // namespace fakes::s3
