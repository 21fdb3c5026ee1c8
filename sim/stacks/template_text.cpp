#include "sim/stacks/template_text.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <vector>

#include "sim/stacks/json_template.h"

namespace sim::stacks {
namespace {

// YAML's short forms and the functions that they stand for (CloudFormation User Guide, "Intrinsic
// function reference"). `!GetAtt A.b` is split at its first dot.
struct ShortForm {
  std::string_view tag, function;
};
constexpr ShortForm kShortForms[] = {
    {"!Ref", "Ref"},
    {"!Condition", "Condition"},
    {"!And", "Fn::And"},
    {"!Base64", "Fn::Base64"},
    {"!Cidr", "Fn::Cidr"},
    {"!Equals", "Fn::Equals"},
    {"!FindInMap", "Fn::FindInMap"},
    {"!GetAZs", "Fn::GetAZs"},
    {"!GetAtt", "Fn::GetAtt"},
    {"!If", "Fn::If"},
    {"!ImportValue", "Fn::ImportValue"},
    {"!Join", "Fn::Join"},
    {"!Not", "Fn::Not"},
    {"!Or", "Fn::Or"},
    {"!Select", "Fn::Select"},
    {"!Split", "Fn::Split"},
    {"!Sub", "Fn::Sub"},
    {"!Transform", "Fn::Transform"},
};

// Whether the tag is that of a plain value. yaml-cpp gives "?" to a plain node and "!" to a quoted
// one.
bool is_plain_tag(const std::string& tag) {
  return tag.empty() || tag == "?" || tag == "!" || tag.starts_with("tag:yaml.org,2002:");
}

ApiError at_mark(const YAML::Mark& mark, const std::string& message) {
  return invalid(fmt::format("Template format error: {} (line {}, column {})", message,
                             mark.line + 1, mark.column + 1));
}

// Builds the tree from yaml-cpp's events, so that a document that is too deep or has aliases is
// refused while it is read.
class Builder : public YAML::EventHandler {
 public:
  Json result() && { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    count(mark);
    add(mark, nullptr);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw at_mark(mark, "YAML aliases are not allowed in CloudFormation templates");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    count(mark);
    const bool is_null = tag == "?" && (value == "~" || value == "null");
    if (is_null) return add(mark, nullptr);
    add(mark, with_function(mark, tag, Json(value)));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, Json::array());
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, Json::object());
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YAML::Mark mark;
    std::string tag;
    Json value;
    std::optional<std::string> key = {};  // the key of the next value in a mapping
  };

  void count(const YAML::Mark& mark) {
    if (++nodes_ > kMostNodes)
      throw at_mark(mark, fmt::format("the template has more than {} values", kMostNodes));
  }
  void open(const YAML::Mark& mark, const std::string& tag, Json value) {
    count(mark);
    if (open_.size() >= kDeepest)
      throw at_mark(mark, fmt::format("the template is nested deeper than {} levels", kDeepest));
    open_.push_back({mark, tag, std::move(value)});
  }
  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    add(done.mark, with_function(done.mark, done.tag, std::move(done.value)));
  }

  void add(const YAML::Mark& mark, Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& parent = open_.back();
    if (parent.value.is_array()) {
      parent.value.push_back(std::move(value));
    } else if (!parent.key) {
      parent.key = key_of(mark, value);
    } else {
      parent.value[*parent.key] = std::move(value);  // if a key is repeated, the last value counts
      parent.key.reset();
    }
  }

  static std::string key_of(const YAML::Mark& mark, const Json& key) {
    if (!key.is_string()) throw at_mark(mark, "YAML not well-formed: a key is not a string.");
    if (key == "<<") throw at_mark(mark, "YAML merges are not allowed in CloudFormation templates");
    return key.get<std::string>();
  }

  static Json with_function(const YAML::Mark& mark, const std::string& tag, Json value) {
    if (is_plain_tag(tag)) return value;
    const auto form = std::ranges::find(kShortForms, tag, &ShortForm::tag);
    if (form == std::end(kShortForms))
      throw at_mark(mark, fmt::format("YAML not well-formed: the tag {} is unknown.", tag));
    if (form->tag == "!GetAtt" && value.is_string()) value = attribute(value.get<std::string>());
    Json call = Json::object();
    call[std::string(form->function)] = std::move(value);
    return call;
  }
  static Json attribute(const std::string& text) {
    const auto dot = text.find('.');
    if (dot == text.npos) return Json(text);
    return Json::array({text.substr(0, dot), text.substr(dot + 1)});
  }

  Json root_;
  std::vector<Open> open_;
  int nodes_ = 0;
};

Json read_yaml(std::string_view text) {
  std::istringstream stream{std::string(text)};
  Builder builder;
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder))
      throw invalid("Template format error: unsupported structure.");
  } catch (const YAML::Exception& error) {
    throw at_mark(error.mark, "YAML not well-formed.");
  }
  return std::move(builder).result();
}

}  // namespace

Json read_template_text(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool json = first != text.npos && text[first] == '{';
  Json tree = json ? read_json_template(text) : read_yaml(text);
  if (!tree.is_object()) throw invalid("Template format error: unsupported structure.");
  refuse_nulls(tree, "");
  return tree;
}

}  // namespace sim::stacks
