#include "trainer/model/models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "base/files/folder_for_test.h"
#include "trainer/model/model_text.h"

namespace spottrain {
namespace {

constexpr ImageShape kCifar{32, 32, 3}, kMnist{28, 28, 1};

std::size_t trained_values(const char* name, ImageShape input) {
  std::size_t values = 0;
  for (const TensorInfo& tensor : tensors_of(load_model(name, input, 10))) {
    if (tensor.role != TensorRole::running) values += tensor.size();
  }
  return values;
}

// PyTorch and Keras count the same numbers.
TEST(BuiltinModels, HaveTheKnownNumbersOfParameters) {
  EXPECT_EQ(trained_values("resnet20", kCifar), 269'722u);
  EXPECT_EQ(trained_values("resnet32", kCifar), 464'154u);
  EXPECT_EQ(trained_values("resnet56", kCifar), 853'018u);
  EXPECT_EQ(trained_values("resnet50-cifar", kCifar), 23'520'842u);
  EXPECT_EQ(trained_values("mnist-cnn", kMnist), 1'199'882u);
  EXPECT_EQ(trained_values("lenet", kMnist), 61'706u);
  EXPECT_EQ(trained_values("mlp", kMnist), 669'706u);
  EXPECT_EQ(trained_values("cnn-8-16", kCifar), 3'962u);
}

TEST(BuiltinModels, TakeAnyNumberOfClassesAndBothSizesOfImages) {
  for (const BuiltinModel& builtin : builtin_models()) {
    for (const ImageShape input : {kCifar, kMnist}) {
      const auto model = load_model(std::string(builtin.name), input, 100);
      EXPECT_EQ(model.name, builtin.name);
      EXPECT_EQ(output_shape(model), (ImageShape{1, 1, 100}));
      const std::string written = model_text(model);
      EXPECT_EQ(model_text(parse_model(written, model.name, input, 100)), written);
    }
  }
}

TEST(LoadModel, ReadsAFileIfNoModelHasTheName) {
  const base::FolderForTest folder;
  const std::string file = (folder / "tiny.model").string();
  base::write_content(file, "conv 2\ndense classes\n");
  EXPECT_EQ(load_model(file, kMnist, 10).name, "tiny");
  base::write_content(file, "conv 2 of\n");
  try {
    load_model(file, kMnist, 10);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(file + ":1:8: 'of' after 'conv'"))
        << error.what();
  }
}

TEST(LoadModel, AnUnknownNameIsReportedWithTheKnownOnes) {
  try {
    load_model("resnet21", kCifar, 10);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "model 'resnet21': No such file or directory; expected a model's file or one of: "
                 "cnn-8-16 lenet mlp mnist-cnn resnet20 resnet32 resnet50-cifar resnet56");
  }
  EXPECT_THROW(load_model("/", kCifar, 10), std::invalid_argument);
  EXPECT_THROW(load_model("/dev/zero", kCifar, 10), std::invalid_argument);
}

}  // namespace
}  // namespace spottrain
