#include "api/rest_unknown.h"

#include <algorithm>
#include <string>

#include "api/refusal.h"
#include "base/text/lower_case.h"

namespace api {
namespace {

// Header names are in lower case. A '*' at the end of a name stands for any further text.
struct Harmless {
  std::string_view name, reason;
};

constexpr Harmless kHeaders[] = {
    {"x-amz-date", "part of the signature"},
    {"x-amz-security-token", "part of the signature"},
    {"x-amz-region-set", "part of a signature for several regions"},
    {"x-amz-content-sha256", "the body's hash, which is checked before"},
    {"x-amz-decoded-content-length", "of an aws-chunked body, which is taken apart before"},
    {"x-amz-trailer", "names the trailers of an aws-chunked body"},
    {"x-amz-user-agent", "an SDK's name for itself, where it cannot set User-Agent"},
    {"x-amz-api-version", "the service's version, of the SDK for C++"},
    {"x-amz-te", "offers to take an MD5 after the body, of the SDK for Java"},
    {"x-amz-sdk-checksum-algorithm", "announces the checksum that the request has"},
    // fakes/s3/wire.cpp checks a body's checksum if no member takes it.
    {"x-amz-checksum-crc32", "a body's checksum, which is checked before"},
    {"x-amz-checksum-crc32c", "a body's checksum, which is checked before"},
    {"x-amz-checksum-crc64nvme", "a body's checksum, which is checked before"},
    {"x-amz-checksum-sha1", "a body's checksum, which is checked before"},
    {"x-amz-checksum-sha256", "a body's checksum, which is checked before"},
    {"x-amz-expected-bucket-owner", "compared with the account before"},
    {"x-amz-request-payer", "one account pays for all"},
};

constexpr Harmless kQueryKeys[] = {
    {"x-id", "an SDK's name of the operation"},
    {"AWSAccessKeyId", "part of a signature of version 2"},
    {"Signature", "part of a signature of version 2"},
    {"Expires", "part of a signature of version 2"},
    // All headers except "x-amz-…".
    {"x-*", "a client's own note for the access log (S3 User Guide, \"Customizing access logs\")"},
};

constexpr std::string_view kOfSignature[] = {
    "x-amz-algorithm",      "x-amz-credential",     "x-amz-date",
    "x-amz-expires",        "x-amz-signedheaders",  "x-amz-signature",
    "x-amz-security-token", "x-amz-content-sha256", "x-amz-region-set"};

bool passes(std::span<const Harmless> table, std::string_view name) {
  return std::ranges::any_of(table, [name](const Harmless& row) {
    return row.name.ends_with('*') ? name.starts_with(row.name.substr(0, row.name.size() - 1))
                                   : name == row.name;
  });
}

// Whether a header changes what a service must do.
bool is_a_demand(std::string_view lower) {
  return lower.starts_with("x-amz-") || lower.starts_with("if-") || lower == "content-range";
}

bool is_taken(const Member& member, std::string_view header) {
  const std::string own = base::lower_case(member.in);
  if (member.location == Location::kHeader) return header == own;
  return member.location == Location::kHeaders && header.starts_with(own);
}

bool takes_query_key(const Operation& operation, std::string_view key) {
  Parameters literals;
  parse_form(operation.query, literals);
  return std::ranges::find(literals, key, &Parameter::name) != literals.end() ||
         std::ranges::any_of(operation.input.shape->members, [&](const Member& member) {
           const bool takes_all = member.shape != nullptr && member.shape->type == Type::kMap;
           return member.location == Location::kQuery && (takes_all || member.in == key);
         });
}

}  // namespace

bool is_of_signature(std::string_view query_key) {
  return std::ranges::find(kOfSignature, base::lower_case(query_key)) != std::end(kOfSignature);
}

bool takes_header(const Operation& operation, std::string_view lower) {
  return std::ranges::any_of(operation.input.shape->members,
                             [&](const Member& member) { return is_taken(member, lower); });
}

void refuse_unknown(const Operation& operation, const Headers& headers, const Parameters& query) {
  for (const auto& [key, value] : query)
    if ((key.starts_with("x-amz-") || !passes(kQueryKeys, key)) && !takes_query_key(operation, key))
      throw Refusal(Refusal::Why::kUnsupported, "?" + key);
  for (const auto& [name, value] : headers) {
    const std::string lower = base::lower_case(name);
    if (is_a_demand(lower) && !passes(kHeaders, lower) && !takes_header(operation, lower))
      throw Refusal(Refusal::Why::kUnsupported, lower);
  }
}

}  // namespace api
