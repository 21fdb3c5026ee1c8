#include "sim/sagemaker/workspace.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <span>
#include <system_error>

#include "base/process/process.h"
#include "sim/events/event.h"

namespace sim::sagemaker {
namespace {

namespace fs = std::filesystem;

// The file name for a key: the part after the folder that the prefix names, or else after the
// prefix's last slash. So "data/train" stores data/train/a as "a" and data/train.csv as
// "train.csv".
std::string name_below(const std::string& key, const std::string& prefix) {
  if (!prefix.ends_with('/') && key.starts_with(prefix + "/")) return key.substr(prefix.size() + 1);
  const auto slash = prefix.rfind('/');
  return key.substr(slash == prefix.npos ? 0 : slash + 1);
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::system_error(errno, std::generic_category(), "writing " + file.string());
}

void write_object(const fs::path& file, const objects::Body& body) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  objects::each_part(body, [&](std::span<const char> part) {
    out.write(part.data(), static_cast<std::streamsize>(part.size()));
  });
  out.close();
  if (!out) throw std::system_error(errno, std::generic_category(), "writing " + file.string());
}

Json channels_config(const JobSpec& job) {
  Json out = Json::object();
  for (const Channel& channel : job.channels) {
    Json& entry = out[channel.name];
    entry = {{"TrainingInputMode", "File"},
             {"S3DistributionType", channel.sharded ? "ShardedByS3Key" : "FullyReplicated"},
             {"RecordWrapperType", "None"}};
    if (!channel.content_type.empty()) entry["ContentType"] = channel.content_type;
  }
  return out;
}

Json resource_config(const JobSpec& job, int host) {
  Json hosts = Json::array();
  for (int i = 1; i <= job.instance_count; ++i) hosts.push_back(host_name(i));
  const std::string type = "ml." + job.instance_type;
  return {{"current_host", host_name(host)},
          {"current_instance_type", type},
          {"current_group_name", "homogeneousCluster"},
          {"hosts", hosts},
          {"instance_groups",
           {{{"instance_group_name", "homogeneousCluster"},
             {"instance_type", type},
             {"hosts", hosts}}}},
          {"network_interface_name", "eth0"}};
}

// The objects whose keys begin with the prefix, except the folder objects that consoles make.
std::vector<std::pair<std::string, const objects::Object*>> objects_below(
    const S3Folder& from, const objects::Store& store) {
  std::vector<std::pair<std::string, const objects::Object*>> out;
  const auto& all = store.bucket(from.bucket).objects;
  for (auto at = all.lower_bound(from.prefix);
       at != all.end() && at->first.starts_with(from.prefix); ++at)
    if (!at->first.ends_with('/')) out.emplace_back(at->first, &at->second);
  return out;
}

// Not outside of its folder, whatever the key is.
bool stays_below(const std::string& name) {
  const fs::path path = fs::path(name).lexically_normal();
  return !name.empty() && path.is_relative() && *path.begin() != ".." && path.has_filename() &&
         path.filename() != ".";
}

}  // namespace

std::vector<Download> downloads_of(const Channel& channel, int host, const JobSpec& job,
                                   const objects::Store& store) {
  S3Folder from = S3Folder::parse(channel.uri);
  if (channel.uri.ends_with('/') && !from.prefix.empty()) from.prefix += '/';
  std::vector<Download> out;
  int number = 0;
  for (const auto& [key, object] : objects_below(from, store)) {
    const std::string name = name_below(key, from.prefix);
    if (channel.sharded && number++ % job.instance_count != host - 1) continue;
    if (stays_below(name))
      out.push_back({object->body, "input/data/" + channel.name + "/" + name, from.bucket});
  }
  return out;
}

std::vector<Download> downloads_of(const S3Folder& from, const std::string& folder,
                                   const objects::Store& store) {
  std::vector<Download> out;
  for (const auto& [key, object] : objects_below(from, store))
    if (key.starts_with(from.key("")) && stays_below(key.substr(from.key("").size())))
      out.push_back({object->body, folder + "/" + key.substr(from.key("").size()), from.bucket});
  return out;
}

std::vector<std::uint64_t> sizes_of(const std::vector<Download>& downloads) {
  std::vector<std::uint64_t> sizes;
  for (const Download& download : downloads) sizes.push_back(download.body.size());
  return sizes;
}

std::map<std::string, std::string> configuration_of(const JobSpec& job, int host) {
  return {{"input/config/hyperparameters.json", Json(job.hyperparameters).dump()},
          {"input/config/inputdataconfig.json", channels_config(job).dump()},
          {"input/config/resourceconfig.json", resource_config(job, host).dump()}};
}

std::vector<std::string> mounts_of(const JobSpec& job) {
  return {"input", "model", "output",
          fs::path(job.checkpoint_folder).lexically_relative(kWorkspace).string()};
}

bool is_inside(const fs::path& path, const fs::path& folder) {
  std::error_code gone;
  const fs::path real = fs::canonical(path, gone);
  if (gone) return false;
  const std::string root = fs::canonical(folder, gone).string() + "/";
  return !gone && (real.string() + "/").starts_with(root);
}

namespace {

class WorkspaceOnDisk : public Workspace {
 public:
  WorkspaceOnDisk(fs::path folder, objects::BodyFile& bytes)
      : folder_(std::move(folder)), bytes_(bytes) {}

  void lay_out(const JobSpec& job, int host, const std::vector<Download>& downloads) override {
    for (const std::string& name : mounts_of(job)) fs::create_directories(folder_ / name);
    for (const char* name : {"input/config", "input/data", "output/data"})
      fs::create_directories(folder_ / name);
    for (const auto& [name, text] : configuration_of(job, host)) write_text(folder_ / name, text);
    for (const Channel& channel : job.channels)
      fs::create_directories(folder_ / "input/data" / channel.name);
    for (const Download& download : downloads) write_object(folder_ / download.path, download.body);
  }

  std::shared_ptr<const objects::Blob> packed(const std::string& name, Time modified) override {
    const fs::path folder = folder_ / name;
    std::error_code gone;
    if (!is_inside(folder, folder_) || !fs::is_directory(folder, gone) ||
        fs::is_empty(folder, gone))
      return nullptr;
    const auto seconds =
        std::chrono::floor<std::chrono::seconds>(modified.time_since_epoch()).count();
    const base::ProcessEnd tar = base::run_process(
        {.argv = {"tar", "--create", "--sort=name", fmt::format("--mtime=@{}", seconds),
                  "--owner=0", "--group=0", "--numeric-owner", "--use-compress-program=gzip -n",
                  "--file=-", "--directory=" + folder.string(), "."}});
    if (tar.status != 0) throw std::runtime_error("packing " + folder.string() + ": " + tar.errors);
    return bytes_.keep(tar.output);
  }

  std::string failure_said() const override {
    constexpr std::size_t kMost = 1024;
    const fs::path file = folder_ / "output/failure";
    std::error_code gone;
    if (!fs::is_regular_file(fs::symlink_status(file, gone)) || !is_inside(file, folder_))
      return {};
    std::ifstream in(file, std::ios::binary);
    std::string said(kMost, '\0');
    in.read(said.data(), static_cast<std::streamsize>(kMost));
    said.resize(static_cast<std::size_t>(in.gcount()));
    return said;
  }

  std::unique_ptr<CheckpointFolder> checkpoints(const std::string& name) override {
    return checkpoint_folder_on_disk(folder_, name, bytes_);
  }

 private:
  const fs::path folder_;
  objects::BodyFile& bytes_;
};

}  // namespace

std::unique_ptr<Workspace> workspace_in(const cloud::ContainerFolder& folder,
                                        objects::BodyFile& bytes) {
  if (folder.model) return modelled_workspace(folder.model);
  if (folder.path.empty()) return nullptr;
  return std::make_unique<WorkspaceOnDisk>(folder.path, bytes);
}

}  // namespace sim::sagemaker
