#include "trainer/model/model_text.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "trainer/model/models.h"

namespace spottrain {
namespace {

constexpr ImageShape kColoured{32, 32, 3};

ModelDescription parse(std::string_view text) {
  return parse_model(text, "my.model", kColoured, 10);
}

std::string error_of(std::string_view text) {
  try {
    parse(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(ModelText, NamesLayersByKindAndCountInsideTheirResidual) {
  const auto model = parse(
      "conv 4\n"
      "repeat 2\n"
      "  residual\n"
      "    conv 8 # twice as many\n"
      "  shortcut\n"
      "    conv 8 kernel=1\n"
      "    batch-norm\n"
      "  end\n"
      "  relu\n"
      "end\n"
      "dense classes name=last\n");
  EXPECT_EQ(model.name, "my");
  std::vector<std::string> names;
  for (const TensorInfo& tensor : tensors_of(model)) {
    if (tensor.role == TensorRole::weight) names.push_back(tensor.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"conv1.weight", "block1.conv1.weight",
                                             "block1.shortcut.conv1.weight", "block2.conv1.weight",
                                             "block2.shortcut.conv1.weight", "last.weight"}));
}

TEST(ModelText, OptionsHaveTheTablesDefaults) {
  const auto model = parse("conv 8 kernel=5 stride=2 bias\nmax-pool size=3\ndense classes");
  const auto& conv = std::get<Conv>(model.layers.at(0).kind);
  EXPECT_EQ(conv.channels, 8);
  EXPECT_EQ(conv.kernel, 5);
  EXPECT_EQ(conv.padding, 2);
  EXPECT_TRUE(conv.bias);
  EXPECT_EQ(std::get<MaxPool>(model.layers.at(1).kind).stride, 3);
  EXPECT_EQ(std::get<Dense>(model.layers.at(2).kind).outputs, 10);
}

TEST(ModelText, WrittenAndParsedAgainIsTheSameModel) {
  const std::string canonical =
      "conv 8 kernel=5 stride=2 padding=0 bias\n"
      "batch-norm epsilon=0.001 momentum=0.01\n"
      "relu name=first\n"
      "max-pool size=3 stride=2 padding=1\n"
      "dropout 0.25\n"
      "residual\n"
      "  conv 16 stride=2\n"
      "  relu\n"
      "shortcut\n"
      "  subsample-pad 16\n"
      "end\n"
      "subsample-pad 32 stride=1\n"
      "global-average-pool\n"
      "dense 10\n";
  EXPECT_EQ(model_text(parse(canonical)), canonical);
}

TEST(ModelText, ErrorsStatePlaceFindingAndExpectation) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "1:1: no layers, expected one a line"},
      {"relu\n  convolution 3",
       "2:3: 'convolution', expected one of: repeat, conv, batch-norm, relu, max-pool, "},
      {"conv", "1:1: 'conv' alone, expected its channels after it"},
      {"conv kernel=3", "1:1: 'conv' alone, expected its channels after it"},
      {"conv 3x", "1:6: '3x', expected a whole number: channels"},
      {"conv 99999999999", "1:6: '99999999999', expected a whole number: channels"},
      {"conv 3 kernel=", "1:8: 'kernel=', expected a whole number: kernel"},
      {"conv 3 kernal=3",
       "1:8: 'kernal=3' after 'conv', expected one of: kernel= stride= padding= bias name="},
      {"conv 3 bias bias",
       "1:13: 'bias' after 'conv', expected one of: kernel= stride= padding= bias name="},
      {"dense many", "1:7: 'many', expected a whole number: outputs, or 'classes'"},
      {"relu name=a/b", "1:6: name 'a/b', expected 1 to 64 letters, digits, '.', '_' or '-'"},
      {"relu\nrelu name=relu1", "2:1: a second layer named relu1"},
      {"relu\nend", "2:1: 'end', but nothing is open that it could end"},
      {"repeat 2\nshortcut\nend", "2:1: 'shortcut', but nothing is open that it could end"},
      {"residual\nrelu", "1:1: 'residual' without its end"},
      {"repeat 0\nend", "1:8: 0 rounds, expected 1 to 1000"},
      {"residual\nshortcut\nshortcut\nend", "3:1: a second shortcut, expected end"},
      {"residual\nend 3", "2:5: '3' after 'end', expected the line's end"},
      {"conv 3\nmax-pool size=64",
       "2:1: layer pool1: a kernel of 64 with padding 0 is larger "
       "than its input 32×32×3"},
      {"residual\nconv 4\nend",
       "1:1: layer block1: its body makes 32×32×4, its shortcut 32×32×3: "
       "expected equal shapes to add"},
      {"conv 10", "1:1: the model ends in 32×32×10, expected 1×1×10: one value a class"},
      {"\x1b[31m", "1:1: '?[31m', expected one of: "},
  };
  for (const auto& [text, error] : cases) {
    EXPECT_TRUE(error_of(text).starts_with("my.model:" + std::string(error))) << text << "\n"
                                                                              << error_of(text);
  }
}

TEST(ModelText, TextsThatWouldNeverEndAreErrors) {
  std::string rounds, depth;
  for (int i = 0; i < 10; ++i) rounds += "repeat 1000\n";
  for (int i = 0; i < 10; ++i) rounds += "end\n";
  EXPECT_NE(error_of(rounds).find("more than 10000 layers"), std::string::npos);
  for (int i = 0; i < 100'000; ++i) depth += "residual\n";
  EXPECT_NE(error_of(depth).find("nested deeper than 16"), std::string::npos);
}

// A text with some random changes: characters, words, and lines from other places.
std::string mutated(std::string text, std::mt19937& random) {
  static const std::string words[] = {"end\n",    "repeat 7\n", "residual\n", "shortcut\n",
                                      "0",        "=",          "-1",         " bias",
                                      "conv 3\n", "65536",      "#",          "1e9"};
  for (unsigned changes = 1 + random() % 4; changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random() % text.size(), from = random() % text.size();
    switch (random() % 4) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, random() % 40);
        break;
      case 2:
        text.insert(at, words[random() % std::size(words)]);
        break;
      default:
        text.insert(at, text.substr(from, random() % 60));
    }
  }
  return text;
}

TEST(ModelText, NoMutationCrashesAndAParsedModelIsWrittenAsItself) {
  std::mt19937 random(1);
  int parsed = 0, rejected = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto models = builtin_models();
    const std::string text = mutated(std::string(models[random() % models.size()].text), random);
    try {
      const std::string written = model_text(parse(text));
      EXPECT_EQ(model_text(parse(written)), written) << text;
      ++parsed;
    } catch (const std::invalid_argument& error) {
      EXPECT_TRUE(std::string_view(error.what()).starts_with("my.model:")) << error.what();
      ++rejected;
    }
  }
  EXPECT_GT(parsed, 200);
  EXPECT_GT(rejected, 200);
}

}  // namespace
}  // namespace spottrain
