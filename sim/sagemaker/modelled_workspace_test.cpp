// /opt/ml as a model, as SageMaker and a container see it.
#include <gtest/gtest.h>

#include "sim/sagemaker/workspace.h"

namespace sim::sagemaker {
namespace {

using Names = std::vector<std::string>;

struct ModelledWorkspaceTest : testing::Test {
  std::shared_ptr<cloud::ModelledFolder> folder = std::make_shared<cloud::ModelledFolder>();
  std::unique_ptr<Workspace> workspace = modelled_workspace(folder);
  std::unique_ptr<CheckpointFolder> checkpoints = workspace->checkpoints("checkpoints");

  void write(const std::string& name, std::uint64_t size, Duration at = {}) {
    (*folder)[name] = {.size = size, .text = {}, .written = Time{at}};
  }
  Names changed() const {
    Names names;
    for (const auto& file : checkpoints->look().changed) names.push_back(file.name);
    return names;
  }
};

TEST_F(ModelledWorkspaceTest, ALookSeesWhatIsNewChangedOrDeleted) {
  write("checkpoints/a", 10);
  write("checkpoints/b", 10);
  write("checkpoints-of-others/c", 10);
  EXPECT_EQ(changed(), (Names{"a", "b"}));
  EXPECT_EQ(changed(), Names{});
  write("checkpoints/a", 11);
  write("checkpoints/b", 10, 1s);
  EXPECT_EQ(changed(), (Names{"a", "b"}));
  folder->erase("checkpoints/a");
  EXPECT_EQ(checkpoints->look().deleted, Names{"a"});
  checkpoints->forget("a");
  checkpoints->forget("b");
  EXPECT_EQ(changed(), Names{"b"});
}

TEST_F(ModelledWorkspaceTest, ALongFileHasItsSizeOnly) {
  write("checkpoints/a", std::uint64_t{1} << 42);
  const auto bytes = checkpoints->look().changed.at(0).bytes;
  EXPECT_TRUE(bytes->modelled());
  EXPECT_EQ(bytes->size(), std::uint64_t{1} << 42);
}

TEST_F(ModelledWorkspaceTest, AContainerReadsShortFilesOfItsDownloads) {
  const objects::Body text(std::make_shared<objects::Blob>("{\"step\":8}"));
  const objects::Body data(std::make_shared<objects::Blob>(objects::Blob::Modelled{1'000'000}));
  workspace->lay_out({.name = "job", .hyperparameters = {{"epochs", "3"}}}, 1,
                     {{text, "checkpoints/a.json"}, {data, "checkpoints/a"}});
  EXPECT_EQ((*folder)["checkpoints/a.json"].text, "{\"step\":8}");
  EXPECT_EQ((*folder)["checkpoints/a"].size, 1'000'000u);
  EXPECT_EQ((*folder)["input/config/hyperparameters.json"].text, R"({"epochs":"3"})");
}

TEST_F(ModelledWorkspaceTest, APackedFolderIsAsLongAsItsFiles) {
  EXPECT_EQ(workspace->packed("model", {}), nullptr);
  write("model/a", 10);
  write("model/b", 20);
  EXPECT_EQ(workspace->packed("model", {})->size(), 30u);
}

}  // namespace
}  // namespace sim::sagemaker
