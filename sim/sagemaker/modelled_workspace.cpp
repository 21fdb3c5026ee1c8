// /opt/ml for modelled containers: files by name and size, short ones with their text.
#include <algorithm>
#include <utility>

#include "sim/sagemaker/workspace.h"

namespace sim::sagemaker {
namespace {

using cloud::ModelledFile;
using cloud::ModelledFolder;

constexpr std::uint64_t kShort = 4096;  // what a program reads as text

ModelledFile downloaded(const objects::Body& body) {
  ModelledFile file{.size = body.size()};
  if (body.size() > kShort || body.modelled()) return file;
  file.text.resize(body.size());
  if (!body.read(0, file.text)) file.text.clear();
  return file;
}

// The files below the folder, by their paths in it.
ModelledFolder files_below(const ModelledFolder& host, const std::string& name) {
  ModelledFolder files;
  const std::string below = name + "/";
  for (auto at = host.lower_bound(below); at != host.end() && at->first.starts_with(below); ++at)
    files.emplace(at->first.substr(below.size()), at->second);
  return files;
}

bool same(const ModelledFile& a, const ModelledFile& b) {
  return a.size == b.size && a.text == b.text && a.written == b.written;
}

class ModelledCheckpointFolder : public CheckpointFolder {
 public:
  ModelledCheckpointFolder(std::shared_ptr<const ModelledFolder> host, std::string name)
      : host_(std::move(host)), name_(std::move(name)) {}

  News look() override {
    ModelledFolder now = files_below(*host_, name_);
    News news;
    for (const auto& [name, file] : now) {
      const auto before = files_.find(name);
      if (before == files_.end() || forgotten(name) || !same(before->second, file))
        news.changed.push_back({name, bytes_of(file)});
    }
    for (const auto& [name, file] : files_)
      if (!now.contains(name)) news.deleted.push_back(name);
    files_ = std::move(now);
    forgotten_.clear();
    return news;
  }

  void forget(const std::string& name) override { forgotten_.push_back(name); }

 private:
  bool forgotten(const std::string& name) const {
    return std::ranges::find(forgotten_, name) != forgotten_.end();
  }

  const std::shared_ptr<const ModelledFolder> host_;
  const std::string name_;
  ModelledFolder files_;  // as they were seen
  std::vector<std::string> forgotten_;
};

class ModelledWorkspace : public Workspace {
 public:
  explicit ModelledWorkspace(std::shared_ptr<ModelledFolder> folder) : folder_(std::move(folder)) {}

  void lay_out(const JobSpec& job, int host, const std::vector<Download>& downloads) override {
    for (const auto& [name, text] : configuration_of(job, host))
      (*folder_)[name] = {.size = text.size(), .text = text};
    for (const Download& download : downloads)
      (*folder_)[download.path] = downloaded(download.body);
  }

  std::shared_ptr<const objects::Blob> packed(const std::string& name, Time) override {
    const ModelledFolder files = files_below(*folder_, name);
    if (files.empty()) return nullptr;
    ModelledFile all;
    for (const auto& [file, content] : files) all.size += content.size;
    return bytes_of(all);
  }

  std::string failure_said() const override {
    constexpr std::size_t kMost = 1024;
    const auto file = folder_->find("output/failure");
    return file == folder_->end() ? "" : file->second.text.substr(0, kMost);
  }

  std::unique_ptr<CheckpointFolder> checkpoints(const std::string& name) override {
    return modelled_checkpoint_folder(folder_, name);
  }

 private:
  const std::shared_ptr<ModelledFolder> folder_;
};

}  // namespace

std::shared_ptr<const objects::Blob> bytes_of(const ModelledFile& file) {
  if (file.text.empty()) return std::make_shared<objects::Blob>(objects::Blob::Modelled{file.size});
  return std::make_shared<objects::Blob>(file.text);
}

std::unique_ptr<CheckpointFolder> modelled_checkpoint_folder(
    std::shared_ptr<const ModelledFolder> host, const std::string& name) {
  return std::make_unique<ModelledCheckpointFolder>(std::move(host), name);
}

std::unique_ptr<Workspace> modelled_workspace(std::shared_ptr<ModelledFolder> folder) {
  return std::make_unique<ModelledWorkspace>(std::move(folder));
}

}  // namespace sim::sagemaker
