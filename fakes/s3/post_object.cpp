#include "fakes/s3/post_object.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/percent.h"
#include "base/text/base64.h"
#include "base/text/lower_case.h"
#include "base/time/iso_time.h"

namespace fakes::s3 {
namespace {

using nlohmann::json;
using sim::cloud::ApiError;

constexpr std::string_view kMultipart = "multipart/form-data";

struct Form {
  std::map<std::string, std::string> fields;  // by their names in small letters
  std::optional<std::string> file;
  std::string file_name;

  std::string field(const std::string& name) const {
    const auto found = fields.find(name);
    return found == fields.end() ? "" : found->second;
  }
};

ApiError malformed() {
  return ApiError("MalformedPOSTRequest",
                  "The body of your POST request is not well-formed multipart/form-data.");
}

ApiError denied_by(const std::string& why) {
  return ApiError("AccessDenied", "Invalid according to Policy: " + why, 403);
}

std::string body_of(const Incoming& request) {
  if (!request.upload) return request.http.body;
  std::string body;
  sim::objects::each_part(
      *request.upload, [&](std::span<const char> part) { body.append(part.data(), part.size()); });
  return body;
}

// The value of name="…" in a part's Content-Disposition.
std::optional<std::string> quoted_value(std::string_view head, std::string_view name) {
  const std::string start = " " + std::string(name) + "=\"";
  const auto begin = head.find(start);
  if (begin == head.npos) return {};
  const auto end = head.find('"', begin + start.size());
  if (end == head.npos) return {};
  return std::string(head.substr(begin + start.size(), end - begin - start.size()));
}

// Parses the form. Fields after the file are ignored, as in S3.
Form parse(std::string_view body, const std::string& boundary) {
  constexpr std::string_view kBlankLine = "\r\n\r\n";
  const std::string delimiter = "\r\n--" + boundary;
  Form form;
  if (!body.starts_with(std::string_view(delimiter).substr(2))) throw malformed();
  body.remove_prefix(delimiter.size() - 2);
  while (!form.file && !body.starts_with("--")) {
    const auto head_end = body.find(kBlankLine);
    const auto end = head_end == body.npos ? body.npos : body.find(delimiter, head_end + 2);
    if (end == body.npos) throw malformed();
    const std::string_view head = body.substr(0, head_end);
    const auto text_begin = std::min(head_end + kBlankLine.size(), end);
    const std::string text(body.substr(text_begin, end - text_begin));
    const auto name = quoted_value(head, "name");
    if (!name) throw malformed();
    if (*name == "file") {
      form.file = text;
      form.file_name = quoted_value(head, "filename").value_or("");
    } else {
      form.fields[base::lower_case(*name)] = text;
    }
    body.remove_prefix(end + delimiter.size());
  }
  return form;
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

bool is_form_upload(const api::HttpRequest& request) {
  const std::string* const type = request.headers.find("content-type");
  return request.method == "POST" && type != nullptr && type->starts_with(kMultipart);
}

void make_put_object(const Incoming& request) {
  constexpr std::string_view kBoundary = "boundary=";
  api::HttpRequest& http = request.http;
  const std::string type = *http.headers.find("content-type");
  const auto at = type.find(kBoundary);
  if (at == type.npos) throw malformed();
  std::string boundary = type.substr(at + kBoundary.size());
  if (boundary.size() > 1 && boundary.front() == '"')
    boundary = boundary.substr(1, boundary.size() - 2);
  Form form = parse(body_of(request), boundary);
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
