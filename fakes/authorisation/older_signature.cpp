#include "fakes/authorisation/older_signature.h"

#include <fmt/format.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <algorithm>

#include "api/form.h"
#include "base/text/base64.h"
#include "base/text/lower_case.h"

namespace fakes::authorisation {
namespace {

// The parameters of the query that are signed, in the order of the text to sign (S3 API reference,
// "Signing and authenticating REST requests (AWS signature version 2)"). That page has the oldest;
// botocore's HmacV1Auth also signs those of later features.
constexpr std::string_view kSubresources[] = {"accelerate",
                                              "acl",
                                              "analytics",
                                              "cors",
                                              "defaultObjectAcl",
                                              "delete",
                                              "inventory",
                                              "lifecycle",
                                              "location",
                                              "logging",
                                              "metrics",
                                              "notification",
                                              "object-lock",
                                              "partNumber",
                                              "policy",
                                              "replication",
                                              "requestPayment",
                                              "response-cache-control",
                                              "response-content-disposition",
                                              "response-content-encoding",
                                              "response-content-language",
                                              "response-content-type",
                                              "response-expires",
                                              "restore",
                                              "select",
                                              "select-type",
                                              "storageClass",
                                              "tagging",
                                              "torrent",
                                              "uploadId",
                                              "uploads",
                                              "versionId",
                                              "versioning",
                                              "versions",
                                              "website"};

std::string header(const api::HttpRequest& request, std::string_view name) {
  const std::string* const found = request.headers.find(name);
  return found == nullptr ? "" : *found;
}

// The lines "x-amz-…:value" of headers and of the query, into which SDKs move such headers.
std::string amazon_lines(const api::HttpRequest& request, const api::Parameters& query) {
  std::map<std::string, std::string> lines;
  const auto add = [&](const std::string& name, const std::string& value) {
    const std::string lower = base::lower_case(name);
    if (!lower.starts_with("x-amz-")) return;
    std::string& line = lines[lower];
    if (!line.empty()) line += ',';
    line += value;
  };
  for (const auto& [name, value] : request.headers) add(name, value);
  for (const auto& one : query) add(one.name, one.value);
  std::string out;
  for (const auto& [name, value] : lines) out += fmt::format("{}:{}\n", name, value);
  return out;
}

std::string resource(const api::HttpRequest& request, std::string_view bucket,
                     const api::Parameters& query) {
  std::string out = bucket.empty() ? "" : fmt::format("/{}", bucket);
  out += request.path;
  char separator = '?';
  for (const std::string_view name : kSubresources)
    for (const auto& one : query) {
      if (one.name != name) continue;
      out += separator;
      out += name;
      if (!one.value.empty()) out += "=" + one.value;
      separator = '&';
    }
  return out;
}

}  // namespace

std::optional<OlderSignature> read_older_signature(const api::HttpRequest& request,
                                                   std::string_view bucket) {
  if (request.query.find("AWSAccessKeyId=") == std::string::npos) return {};
  api::Parameters query;
  api::parse_form(request.query, query);
  const auto value = [&](std::string_view name) {
    return std::string(api::find_parameter(query, name));
  };
  if (value("Signature").empty()) return {};
  return OlderSignature{
      .key_id = value("AWSAccessKeyId"),
      .token = value("x-amz-security-token"),
      .to_sign = fmt::format("{}\n{}\n{}\n{}\n{}{}", request.method, header(request, "content-md5"),
                             header(request, "content-type"), value("Expires"),
                             amazon_lines(request, query), resource(request, bucket, query)),
      .text = value("Signature")};
}

std::optional<OlderSignature> read_older_signature(
    const std::map<std::string, std::string>& fields) {
  const auto value = [&](const std::string& name) {
    const auto found = fields.find(name);
    return found == fields.end() ? "" : found->second;
  };
  if (value("awsaccesskeyid").empty() || value("signature").empty()) return {};
  return OlderSignature{.key_id = value("awsaccesskeyid"),
                        .token = value("x-amz-security-token"),
                        .to_sign = value("policy"),
                        .text = value("signature")};
}

std::string sign_older(std::string_view text, std::string_view secret) {
  std::string mac(SHA_DIGEST_LENGTH, '\0');
  unsigned length = 0;
  HMAC(EVP_sha1(), secret.data(), static_cast<int>(secret.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(),
       reinterpret_cast<unsigned char*>(mac.data()), &length);
  return base::base64_encode(mac);
}

}  // namespace fakes::authorisation
