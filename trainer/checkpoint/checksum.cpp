#include "trainer/checkpoint/checksum.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace spottrain {
namespace {

std::string digits_of(const XXH128_hash_t& hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

std::string xxh3_64(std::string_view bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

std::string xxh3_128(std::string_view bytes) {
  return digits_of(XXH3_128bits(bytes.data(), bytes.size()));
}

Xxh3Stream::Xxh3Stream() : state_(XXH3_createState()) { XXH3_128bits_reset(state_.get()); }

void Xxh3Stream::update(std::string_view bytes) {
  XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
}

std::string Xxh3Stream::digits() const { return digits_of(XXH3_128bits_digest(state_.get())); }

void Xxh3Stream::Free::operator()(XXH3_state_s* state) const { XXH3_freeState(state); }

}  // namespace spottrain
