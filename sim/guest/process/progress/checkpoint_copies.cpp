#include "sim/guest/process/progress/checkpoint_copies.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>

#include "sim/events/read.h"
#include "sim/guest/process/files/machine_files.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostSaved = 1000;  // older ones are forgotten

struct Content {
  std::uint64_t size = 0;
  std::string digest;
};

// Empty: no regular file, or it cannot be read.
std::optional<Content> content_of(const fs::path& root, const fs::path& path) {
  struct stat as {};
  const base::FileDescriptor file = open_in(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!file || fstat(file.get(), &as) != 0 || !S_ISREG(as.st_mode)) return {};
  objects::Digest digest(objects::Algorithm::kMd5);
  std::array<char, 65536> part;
  std::uint64_t size = 0;
  for (ssize_t n;
       (n = pread(file.get(), part.data(), part.size(), static_cast<off_t>(size))) > 0;) {
    digest.update({part.data(), static_cast<std::size_t>(n)});
    size += static_cast<std::uint64_t>(n);
  }
  return Content{size, digest.finish()};
}

std::string digest_of(const objects::Body& body) {
  objects::Digest digest(objects::Algorithm::kMd5);
  objects::each_part(body, [&](std::span<const char> part) { digest.update(part); });
  return digest.finish();
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

void CheckpointCopies::saved(const fs::path& root, Saved checkpoint) {
  if (store_.buckets().empty()) return;
  const auto content = content_of(root, checkpoint.path);
  if (!content) return;
  checkpoint.size = content->size;
  checkpoint.digest = content->digest;
  saved_.push_back(checkpoint);
  if (saved_.size() > kMostSaved) saved_.erase(saved_.begin());
  // It may have been uploaded before it was reported.
  for (const auto& [bucket, in] : store_.buckets())
    for (const auto& [key, object] : in.objects)
      if (const std::string uri = "s3://" + bucket + "/" + key; is_copy(checkpoint, uri, object))
        tell(checkpoint, uri);
}

void CheckpointCopies::stored(const std::string& bucket, const std::string& key) {
  const std::string uri = "s3://" + bucket + "/" + key;
  const objects::Object& object = store_.object(bucket, key);
  const auto of = [&](bool by_name) {
    return std::ranges::find_if(std::views::reverse(saved_), [&](const Saved& saved) {
      return (!by_name || name_of(saved.path) == name_of(key)) && is_copy(saved, uri, object);
    });
  };
  // Of several files with the same bytes, the one of that name.
  auto found = of(true);
  if (found == saved_.rend()) found = of(false);
  if (found != saved_.rend()) tell(*found, uri);
}

bool CheckpointCopies::is_copy(const Saved& of, const std::string& uri,
                               const objects::Object& object) const {
  if (!prefix_.empty() && uri.starts_with(prefix_) &&
      name_of(uri).starts_with(name_of(of.path) + "."))
    return true;
  return object.body.size() == of.size && !object.body.modelled() &&
         digest_of(object.body) == of.digest;
}

void CheckpointCopies::tell(const Saved& of, const std::string& uri) {
  const std::string path = events::as_utf8(of.path), object = events::as_utf8(uri);
  events::CheckpointCopied event{
      .instance_id = of.machine, .step = of.step, .path = path, .uri = object};
  if (of.since < of.step) event.since = of.since;
  tell_(event);
}

}  // namespace sim::guest
