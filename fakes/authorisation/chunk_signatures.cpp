#include "fakes/authorisation/chunk_signatures.h"

#include <fmt/format.h>

#include <span>
#include <string>
#include <utility>

#include "fakes/s3/aws_chunked.h"
#include "sim/objects/digest.h"

namespace fakes::authorisation {
namespace {

using sim::objects::Algorithm;
using sim::objects::Digest;

constexpr std::string_view kSigned = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
constexpr std::string_view kTrailer = "x-amz-trailer-signature";

std::string_view content_hash(const api::HttpRequest& request) {
  const std::string* const stated = request.headers.find("x-amz-content-sha256");
  return stated == nullptr ? std::string_view() : std::string_view(*stated);
}

// Follows the chain of signatures. `previous_` is the last verified signature.
class Chain {
 public:
  Chain(const Signature& first, Signer& signer, std::string_view secret)
      : first_(first), signer_(signer), secret_(secret), previous_(first.text) {}

  void begin(std::string_view parameters) {
    constexpr std::string_view kName = "chunk-signature=";
    end();
    stated_ = parameters.starts_with(kName) ? parameters.substr(kName.size()) : "";
    digest_ = Digest(Algorithm::kSha256);
    is_open_ = true;
  }
  void add(std::span<const char> bytes) { digest_.update(bytes); }
  void end() {
    if (!is_open_) return;
    is_open_ = false;
    check("AWS4-HMAC-SHA256-PAYLOAD",
          fmt::format("{}\n{}", sha256_hex(""), sim::objects::to_hex(digest_.finish())), stated_);
  }
  void end_trailers(const std::vector<std::pair<std::string, std::string>>& trailers) {
    std::string lines, stated;
    for (const auto& [name, value] : trailers)
      if (name == kTrailer)
        stated = value;
      else
        lines += fmt::format("{}:{}\n", name, value);
    check("AWS4-HMAC-SHA256-TRAILER", sha256_hex(lines), stated);
  }
  bool is_valid() const { return is_valid_; }

 private:
  void check(std::string_view algorithm, const std::string& hashes, const std::string& stated) {
    previous_ = signer_.sign_text(fmt::format("{}\n{}\n{}\n{}\n{}", algorithm, first_.time,
                                              scope_of(first_), previous_, hashes),
                                  first_, secret_);
    is_valid_ = is_valid_ && same_signature(previous_, stated);
  }

  const Signature& first_;
  Signer& signer_;
  std::string_view secret_;
  std::string previous_, stated_;
  Digest digest_{Algorithm::kSha256};
  bool is_open_ = false, is_valid_ = true;
};

}  // namespace

bool has_signed_chunks(const api::HttpRequest& request) {
  return content_hash(request).starts_with(kSigned);
}

bool are_chunks_signed(const Received& received, const Signature& first, Signer& signer,
                       std::string_view secret) {
  Chain chain(first, signer, secret);
  s3::AwsChunked chunked([&](std::span<const char> part) { chain.add(part); },
                         [&](std::string_view parameters) { chain.begin(parameters); });
  bool is_well_formed = true;
  const auto update = [&](std::string_view part) {
    is_well_formed = is_well_formed && chunked.update(part);
  };
  if (received.long_body == nullptr)
    update(received.http.body);
  else
    sim::objects::each_part(*received.long_body, [&](std::span<const char> part) {
      update({part.data(), part.size()});
    });
  if (!is_well_formed || !chunked.done()) return true;
  chain.end();
  if (content_hash(received.http).ends_with("-TRAILER")) chain.end_trailers(chunked.trailers());
  return chain.is_valid();
}

}  // namespace fakes::authorisation
