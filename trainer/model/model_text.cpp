#include "trainer/model/model_text.h"

#include <fmt/format.h>

#include "trainer/model/layer_syntax.h"

namespace spottrain {
namespace {

// A layer's line as words.
class LineWriter {
 public:
  explicit LineWriter(std::string& text) : text_(text) {}

  void value(std::string_view, auto field) { text_ += fmt::format(" {}", field); }
  void outputs(int field) { text_ += fmt::format(" {}", field); }
  template <typename Number>
  void option(std::string_view key, Number field, Number fallback) {
    if (field != fallback) text_ += fmt::format(" {}={}", key, field);
  }
  void flag(std::string_view word, bool field) {
    if (field) text_ += fmt::format(" {}", word);
  }

 private:
  std::string& text_;
};

void append_chain(const std::vector<Layer>& layers, const std::string& prefix, int depth,
                  std::string& text) {
  LayerNames names(prefix);
  const std::string indent(2 * static_cast<std::size_t>(depth), ' ');
  for (const Layer& layer : layers) {
    std::visit(
        [&]<typename Kind>(const Kind& kind) {
          text += fmt::format("{}{}", indent, LayerSyntax<Kind>::word);
          LineWriter line(text);
          LayerSyntax<Kind>::fields(line, kind);
          if (layer.name != names.next(LayerSyntax<Kind>::name)) {
            text += fmt::format(" {}={}", kName, layer.name);
          }
        },
        layer.kind);
    text += '\n';
    const auto* residual = std::get_if<Residual>(&layer.kind);
    if (residual == nullptr) continue;
    append_chain(residual->body, layer.name + ".", depth + 1, text);
    if (!residual->shortcut.empty()) {
      text += fmt::format("{}{}\n", indent, kShortcut);
      append_chain(residual->shortcut, layer.name + ".shortcut.", depth + 1, text);
    }
    text += fmt::format("{}{}\n", indent, kEnd);
  }
}

}  // namespace

std::string model_text(const ModelDescription& model) {
  std::string text;
  append_chain(model.layers, "", 0, text);
  return text;
}

}  // namespace spottrain
