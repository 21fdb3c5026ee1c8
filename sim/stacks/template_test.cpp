// Tests of the template language: parsing, functions, parameters, and messages of refused
// templates.
#include <gtest/gtest.h>

#include "sim/stacks/cidr.h"
#include "sim/stacks/functions.h"
#include "sim/stacks/world_for_test.h"

namespace sim::stacks {
namespace {

// Evaluates output V in a template with the parameters P = "p" and L = "x,y" (a list).
std::string value_of(const std::string& value, const std::string& more = "") {
  StacksWorld w;
  const std::string text =
      "Parameters:\n  P: {Type: String, Default: p}\n"
      "  L: {Type: CommaDelimitedList, Default: 'x, y'}\n" +
      more + "\nResources: {T: {Type: Test::Thing, Properties: {V: " + value + "}}}\n";
  const Stack& stack = w.create("stack", text);
  if (stack.status != "CREATE_COMPLETE") {
    for (const StackEvent& event : stack.events)
      if (event.status == "CREATE_FAILED") return event.reason;
    return stack.reason;
  }
  const Json& properties = stack.now.resources.at("T").properties;
  if (!properties.contains("V")) return "nothing";
  return properties.at("V").is_string() ? properties.at("V").get<std::string>()
                                        : properties.at("V").dump();
}

TEST(TemplateFunctions, AreEvaluated) {
  EXPECT_EQ(value_of("!Ref P"), "p");
  EXPECT_EQ(value_of("!Ref L"), R"(["x","y"])");
  EXPECT_EQ(value_of("!Ref AWS::Region"), "us-west-2");
  EXPECT_EQ(value_of("!Ref AWS::NoValue"), "nothing");
  EXPECT_EQ(value_of("{'Fn::Base64': 'Hello'}"), "SGVsbG8=");
  EXPECT_EQ(value_of("!Join ['-', [a, !Ref P, 22]]"), "a-p-22");
  EXPECT_EQ(value_of("!Select [1, !Split ['|', 'a|b|c']]"), "b");
  EXPECT_EQ(value_of("!Select [1, !GetAZs '']"), "us-west-2b");
  EXPECT_EQ(value_of("!Sub 'arn:${AWS::Partition}:${P}/${!P}'"), "arn:aws:p/${P}");
  EXPECT_EQ(value_of("!Sub ['${A}${P}', {A: !Ref AWS::StackName}]"), "stackp");
  EXPECT_EQ(value_of("!FindInMap [M, !Ref P, k]", "Mappings: {M: {p: {k: v}}}"), "v");
  EXPECT_EQ(value_of("!Select [1, !Cidr [10.0.0.0/16, 2, 8]]"), "10.0.1.0/24");
  EXPECT_EQ(value_of("!If [C, yes1, no1]", "Conditions: {C: !Equals [!Ref P, p]}"), "yes1");
  EXPECT_EQ(value_of("!If [C, a, !Ref AWS::NoValue]",
                     "Conditions: {N: !Not [!Equals [!Ref P, p]], C: !And [!Condition N, !Or "
                     "[!Condition N, !Equals [a, a]]]}"),
            "nothing");
}

TEST(TemplateFunctions, AreRefusedWithTheServicesMessages) {
  EXPECT_EQ(value_of("!Select [5, [a]]"),
            "Template error: Fn::Select cannot select nonexistent value at index 5");
  EXPECT_EQ(value_of("!FindInMap [M, q, k]", "Mappings: {M: {p: {k: v}}}"),
            "Template error: Unable to get mapping for M::q::k");
}

struct Refused {
  const char *text, *message;
};

TEST(Template, IsRefusedWithTheServicesMessages) {
  const Refused cases[] = {
      {"", "Template format error: unsupported structure."},
      {"just text", "Template format error: unsupported structure."},
      {"Resources:\n  A: b: c", "Template format error: YAML not well-formed. (line 2, column 7)"},
      {"{\"Resources\": \n x}", "Template format error: JSON not well-formed. (line 2, column 2)"},
      {"Resources: {}", "Template format error: At least one Resources member must be defined."},
      {"Resources: {A: {Properties: {}}}",
       "Template format error: [/Resources/A] Every Resources object must contain a Type member."},
      {"Resources: {A: {Type: T, Foo: 1}}", "Invalid template resource property 'Foo'"},
      {"Foo: 1\nResources: {A: {Type: T}}", "Invalid template property or properties [Foo]"},
      {"Resources: {A: {Type: T, Properties: }}",
       "[/Resources/A/Properties] 'null' values are not allowed in templates"},
      {"Resources: {A: {Type: T, Properties: {V: !Ref B}}}",
       "Template format error: Unresolved resource dependencies [B] in the Resources block of the "
       "template"},
      {"Resources: {A: {Type: T, DependsOn: B}}",
       "Template format error: Unresolved resource dependencies [B] in the Resources block of the "
       "template"},
      {"Resources: {A: {Type: T, Properties: {V: !GetAtt B.Arn}}}",
       "Template error: instance of Fn::GetAtt references undefined resource B"},
      {"Resources: {A: {Type: T, Properties: {V: !Ref B}}, B: {Type: T, DependsOn: A}}",
       "Circular dependency between resources: [A, B]"},
      {"Resources: {A: {Type: T, Condition: C}}",
       "Template format error: Unresolved condition dependency C in the Resources block of the "
       "template"},
      {"X: &a 1\nResources: {A: *a}",
       "Template format error: YAML aliases are not allowed in CloudFormation templates (line 2, "
       "column 16)"},
      {"Transform: AWS::Serverless-2016-10-31\nResources: {A: {Type: T}}",
       "The template section Transform is not part of this simulated AWS."},
      {"Resources: {A: {Type: T, Properties: {V: !Sub '${a b}'}}}",
       "Template error: variable names in Fn::Sub syntax must contain only alphanumeric "
       "characters, underscores, periods, and colons"},
  };
  for (const Refused& refused : cases)
    EXPECT_EQ(refusal([&] { parse_template(refused.text); }),
              std::string("ValidationError: ") + refused.message)
        << refused.text;
}

TEST(Template, MayNotBeDeep) {
  const std::string deep(200, '[');
  EXPECT_NE(refusal([&] { parse_template("{\"a\": " + deep); }), "");
  EXPECT_NE(refusal([&] { parse_template("a: " + deep); }), "");
}

TEST(Template, IsTheSameInJsonAndYaml) {
  const Template json = parse_template(
      R"({"Resources": {"A": {"Type": "T", "Properties": {"Port": 22, "On": true}}}})");
  const Template yaml =
      parse_template("Resources: {A: {Type: T, Properties: {Port: '22', On: true}}}");
  EXPECT_EQ(json.resources[0].properties, yaml.resources[0].properties);
}

TEST(TemplateParameters, AreChecked) {
  const auto refused = [](const std::string& definition, const std::string& value) {
    const Template of =
        parse_template("Parameters: {P: {" + definition + "}}\nResources: {A: {Type: T}}");
    return refusal([&] {
      parameter_values(of, {{"P", {value}}}, {}, [](const std::string& name) {
        return name == "/ami" ? std::optional<std::string>("ami-1") : std::nullopt;
      });
    });
  };
  EXPECT_EQ(refused("Type: String, AllowedValues: [a, b]", "c"),
            "ValidationError: Parameter 'P' must be one of AllowedValues");
  EXPECT_EQ(refused("Type: String, AllowedPattern: '[a-z]+'", "a1"),
            "ValidationError: Parameter 'P' must match pattern [a-z]+");
  EXPECT_EQ(refused("Type: String, MinLength: 3, ConstraintDescription: longer", "ab"),
            "ValidationError: Parameter 'P' failed to satisfy constraint: longer");
  EXPECT_EQ(refused("Type: Number, MaxValue: 3", "4"),
            "ValidationError: Parameter 'P' must be a number not greater than 3");
  EXPECT_EQ(refused("Type: Number", "x"), "ValidationError: Parameter 'P' must be a number");
  EXPECT_EQ(refused("Type: AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>", "/ami"), "");
  EXPECT_EQ(refused("Type: AWS::SSM::Parameter::Value<String>", "/none"),
            "ValidationError: Unable to fetch parameters [/none] from parameter store for this "
            "account.");
}

TEST(TemplateParameters, MustBeGivenAndBeInTheTemplate) {
  StacksWorld w;
  const std::string text = "Parameters: {P: {Type: String}}\nResources: {A: {Type: Test::Thing}}";
  EXPECT_EQ(refusal([&] { w.create("s", text); }),
            "ValidationError: Parameters: [P] must have values");
  EXPECT_EQ(refusal([&] {
              w.stacks.create({.name = "s", .template_text = text, .parameters = {{"Q", {"1"}}}});
            }),
            "ValidationError: Parameters: [Q] do not exist in the template");
}

TEST(Cidr, DividesABlock) {
  EXPECT_EQ(subdivide("10.0.0.0/22", 4, 8).value().back(), "10.0.3.0/24");
  EXPECT_FALSE(subdivide("10.0.0.0/22", 5, 8));
  EXPECT_FALSE(subdivide("10.0.0/22", 1, 8));
}

// Published templates repeat keys: an AWS::EC2::LaunchTemplate with two InstanceMarketOptions.
TEST(Template, HasTheLastValueOfAKeyThatComesTwice) {
  const Template made = parse_template("Resources: {A: {Type: T, Properties: {V: 1, W: 2, V: 3}}}");
  EXPECT_EQ(made.resource("A")->properties.at("V"), "3");
}

}  // namespace
}  // namespace sim::stacks
