#include "trainer/engine/graph.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "trainer/model/model_text.h"

namespace spottrain {
namespace {

ModelGraph graph_of_text(const char* text) {
  return graph_of(parse_model(text, "my.model", {9, 7, 3}, 4));
}

TEST(Graph, AReluBelongsToTheLayerBeforeItIfPossible) {
  const ModelGraph graph = graph_of_text("conv 8\nrelu\nmax-pool\nrelu\ndense classes");
  EXPECT_EQ(graph.layers(),
            (std::vector<std::string>{"input", "conv1", "pool1", "relu2", "dense1", "loss"}));
  EXPECT_TRUE(graph.operations[0].relu);
  EXPECT_FALSE(graph.operations[1].relu);
  EXPECT_EQ(graph.classes(), 4);
}

TEST(Graph, ShortcutsComeFirstAndTheLastBatchNormAddsThem) {
  const ModelGraph graph = graph_of_text(
      "residual\nconv 4\nbatch-norm\nshortcut\nconv 4 kernel=1\nend\nrelu\ndense classes");
  EXPECT_EQ(graph.layers(),
            (std::vector<std::string>{"input", "block1.shortcut.conv1", "block1.conv1",
                                      "block1.bn1", "dense1", "loss"}));
  const Operation& sum = graph.operations[2];
  EXPECT_EQ(sum.input, graph.operations[1].output);
  EXPECT_EQ(sum.addend, graph.operations[0].output);
  EXPECT_TRUE(sum.relu);
}

TEST(Graph, AnEmptyShortcutIsTheInputItself) {
  const ModelGraph graph = graph_of_text("conv 4\nresidual\nconv 4\nend\ndense classes");
  const Operation& sum = graph.operations[2];
  EXPECT_TRUE(std::holds_alternative<Add>(sum.kind));
  EXPECT_EQ(sum.addend, graph.operations[0].output);
  EXPECT_EQ(sum.input, graph.operations[1].output);
}

TEST(Graph, TensorsHaveThePlacesOfTensorsOf) {
  const ModelGraph graph = graph_of_text("conv 4\nbatch-norm\nglobal-average-pool\ndense classes");
  const auto& norm = graph.operations[1].tensors;
  ASSERT_EQ(norm.size(), 4u);
  constexpr std::size_t kConv = 3 * 3 * 3 * 4;
  EXPECT_EQ(norm[0].first, kConv);
  EXPECT_EQ(norm[1].first, kConv + 4);
  EXPECT_TRUE(norm[1].trained);
  EXPECT_EQ(norm[2].first, kConv + 8 + 4 * 4 + 4);  // after the dense layer's
  EXPECT_FALSE(norm[2].trained);
  EXPECT_EQ(norm[2].number, 5u);
}

TEST(Graph, DropoutsAreNumberedInTheirOrder) {
  const ModelGraph graph = graph_of_text("dropout 0.1\ndense 5\nrelu\ndropout 0.2\ndense classes");
  EXPECT_EQ(graph.operations[0].dropout, 0);
  EXPECT_EQ(graph.operations[1].dropout, -1);
  EXPECT_EQ(graph.operations[2].dropout, 1);
  EXPECT_FALSE(graph.values[1].wants_gradient);
  EXPECT_TRUE(graph.values[2].wants_gradient);
}

TEST(Graph, BordersCoverReadsBeyondARow) {
  const ModelGraph graph =
      graph_of_text("conv 4\nconv 4 kernel=5 padding=1 stride=2\nconv 4 kernel=1\ndense classes");
  const auto& values = graph.values;  // 7 pixels wide, 7, 3, 3
  EXPECT_EQ(values[0].border, 1);
  EXPECT_EQ(values[0].gradient_border, 0);
  EXPECT_EQ(values[1].border, 1);
  EXPECT_EQ(values[1].gradient_border, 0);  // the input wants no gradient
  EXPECT_EQ(values[2].border, 0);
  EXPECT_EQ(values[2].gradient_border, 2);
  EXPECT_EQ(values[3].border, 0);
  EXPECT_EQ(values[3].gradient_border, 0);
}

TEST(Graph, EndsInOneValueAClass) {
  const ModelDescription open{"open", {9, 7, 3}, {{"conv", Conv{4}}}};
  EXPECT_THROW(graph_of(open), std::invalid_argument);
}

}  // namespace
}  // namespace spottrain
