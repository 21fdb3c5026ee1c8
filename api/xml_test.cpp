#include "api/xml.h"

#include <gtest/gtest.h>

#include "api/ec2.h"
#include "api/s3.h"
#include "api/toy_for_test.h"
#include "api/value.h"

namespace api {
namespace {

using Why = Refusal::Why;

Toy toy_of_xml(std::string_view text, bool strict = true) {
  Toy toy;
  pugi::xml_document document;
  read_xml(parse_xml(document, text), kToyShape, &toy, Way::kRequest, strict);
  return toy;
}

Refusal xml_refusal(const std::string& text, bool strict = true) {
  return refusal_of([&] { toy_of_xml(text, strict); });
}

std::string xml_of(const Toy& toy) {
  std::string out;
  append_xml_element(out, "Toy", kToyShape, &toy, "", Way::kRequest);
  return out;
}

TEST(ApiXml, ListsAreWrappedOrFlatAndMapsEntries) {
  const Toy toy{.name = "n",
                .color = "red",
                .children = {{.size = 1}, {}},
                .tags = {{"a", "1"}},
                .words = {"x", "y"}};
  const std::string text =
      "<Toy Color=\"red\"><Name>n</Name><Children><member><Size>1</Size></member><member/>"
      "</Children><Tags><entry><key>a</key><value>1</value></entry></Tags><Words>x</Words>"
      "<Words>y</Words></Toy>";
  EXPECT_EQ(xml_of(toy), text);
  EXPECT_EQ(xml_of(toy_of_xml(text)), text);
}

TEST(ApiXml, TheOrderOfTheElementsDoesNotMatter) {
  const Toy toy =
      toy_of_xml("<Toy><Words>x</Words><Size>1</Size><Words>y</Words><Name>n</Name></Toy>");
  EXPECT_EQ(toy.words, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(toy.size, 1);
  EXPECT_EQ(toy.name, "n");
}

TEST(ApiXml, EmptyAndNoListDiffer) {
  EXPECT_TRUE(toy_of_xml("<Toy><Children/></Toy>").children.given());
  EXPECT_FALSE(toy_of_xml("<Toy/>").children.given());
  EXPECT_EQ(toy_of_xml("<Toy><Name/></Toy>").name, "");
}

TEST(ApiXml, TextIsEscapedAndReadWhole) {
  const Toy toy{.name = "a<b>&\"c'\r\n\t ]]> ü  two", .color = "\"<\n&"};
  const Toy again = toy_of_xml(xml_of(toy));
  EXPECT_EQ(again.name, toy.name);
  EXPECT_EQ(again.color, toy.color);
  EXPECT_EQ(toy_of_xml("<Toy><Name>a<!-- b -->c<![CDATA[<d>]]>e</Name></Toy>").name, "ac<d>e");
  EXPECT_EQ(toy_of_xml("<Toy><Name>  </Name></Toy>").name, "  ");
}

TEST(ApiXml, ARequestsStrangeElementIsRefusedAndAResponsesPassedOver) {
  const struct {
    const char *text, *where;
  } kUnknown[] = {
      {"<Toy><X/></Toy>", "Toy.X"},
      {"<Toy><Child><X>1</X></Child></Toy>", "Toy.Child.X"},
      {"<Toy><Children><X/></Children></Toy>", "Toy.Children.X"},
      {"<Toy><Children><member><X/></member></Children></Toy>", "Toy.Children.member.X"},
      {"<Toy><Tags><X/></Tags></Toy>", "Toy.Tags.X"},
      {"<Toy><Name>a<X/></Name></Toy>", "Toy.Name.X"},
      {"<Toy><Color>red</Color></Toy>", "Toy.Color"}};
  for (const auto& [text, where] : kUnknown) {
    const Refusal refusal = xml_refusal(text);
    EXPECT_EQ(refusal.why, Why::kUnknown) << text;
    EXPECT_EQ(refusal.where, where);
    toy_of_xml(text, false);
  }
}

TEST(ApiXml, RefusedMembersAreRefusedAndIgnoredOnesPassedOverAtEachDepth) {
  for (const auto& [text, where] :
       {std::pair("<Toy><Old/></Toy>", "Toy.Old"),
        std::pair("<Toy><Child><Child><Old>1</Old></Child></Child></Toy>", "Toy.Child.Child.Old"),
        std::pair("<Toy><Children><member><Old/></member></Children></Toy>",
                  "Toy.Children.member.Old")}) {
    const Refusal refusal = xml_refusal(text);
    EXPECT_EQ(refusal.why, Why::kUnsupported) << text;
    EXPECT_EQ(refusal.where, where);
    toy_of_xml(text, false);
  }
  const Toy toy =
      toy_of_xml("<Toy><Hint><any/></Hint><Child><Hint>1</Hint><Size>2</Size></Child></Toy>");
  EXPECT_EQ(toy.child->size, 2);
}

TEST(ApiXml, AMemberGivenTwiceIsRefused) {
  for (const char* text : {"<Toy><Name>a</Name><Name>a</Name></Toy>",
                           "<Toy><Children/><Size>1</Size><Children/></Toy>",
                           "<Toy><Child><Size>1</Size><Size>1</Size></Child></Toy>"})
    EXPECT_EQ(xml_refusal(text).why, Why::kMalformed) << text;
}

TEST(ApiXml, AValueOfAnotherTypeIsRefusedWithItsPath) {
  for (const bool strict : {true, false}) {
    const Refusal refusal = xml_refusal("<Toy><Child><Size>big</Size></Child></Toy>", strict);
    EXPECT_EQ(refusal.why, Why::kType);
    EXPECT_EQ(refusal.where, "Toy.Child.Size");
    EXPECT_EQ(refusal.found, "big");
    EXPECT_EQ(refusal.expected, "an integer");
  }
  for (const char* text : {"<Toy><Name>\xff</Name></Toy>", "<Toy><Name>&#1;</Name></Toy>",
                           "<Toy><Name>&#xD800;</Name></Toy>", "<Toy Color=\"&#2;\"/>"})
    EXPECT_EQ(xml_refusal(text).why, Why::kType) << text;
}

TEST(ApiXml, ARequestHasNoTextBetweenElements) {
  for (const char* text : {"<Toy>x<Name>n</Name></Toy>", "<Toy><Child>x</Child></Toy>",
                           "<Toy><Children><member/>x</Children></Toy>",
                           "<Toy><Children><![CDATA[x]]></Children></Toy>",
                           "<Toy><Tags><entry>x<key>a</key><value>1</value></entry></Tags></Toy>",
                           "<Toy><Tags>x</Tags></Toy>"})
    EXPECT_NE(xml_refusal(text).expected.find("text between"), std::string::npos) << text;
  EXPECT_EQ(toy_of_xml("<Toy>\n <!-- x --> <Child>\n</Child>\n <Name>n</Name>\n</Toy>").name, "n");
  EXPECT_EQ(toy_of_xml("<Toy>x<Name>n</Name></Toy>", false).name, "n") << "of a response";
}

TEST(ApiXml, WhatIsNoXmlIsMalformed) {
  for (const char* text : {"", "x", "<Toy>", "<Toy><Name></Toy>", "<Toy", "</Toy>", "<Toy a=1/>",
                           "<Toy><![CDATA[</Toy>", "<!DOCTYPE"})
    EXPECT_EQ(xml_refusal(text).why, Why::kMalformed) << text;
}

TEST(ApiXml, NestingHasALimit) {
  const auto deep = [](std::size_t depth) {
    std::string text = "<Toy>";
    for (std::size_t i = 0; i < depth; ++i) text += "<Child>";
    for (std::size_t i = 0; i < depth; ++i) text += "</Child>";
    return text + "</Toy>";
  };
  toy_of_xml(deep(kDeepest));
  for (const bool strict : {true, false}) {
    EXPECT_EQ(xml_refusal(deep(kDeepest + 1), strict).why, Why::kMalformed);
    EXPECT_EQ(xml_refusal(deep(100'000), strict).why, Why::kMalformed);
  }
}

// A list that the server has as text is written in place of the list's elements.
TEST(ApiXml, AListMayBeTextAlready) {
  const Shape& shape = *ec2::kService.find("DescribeVolumes")->output.shape;
  ec2::op::DescribeVolumes::Response full{.next_token = "t"}, empty{.next_token = "t"};
  full.volumes = {{.size = 1, .tags = {{.key = "a", .value = "<&>\"\r\n\t\xc3\xa9"}}},
                  {.size = -2}};
  empty.volumes.give();
  const auto text_of = [&](const auto& response, const WrittenList& written) {
    std::string text = "before ";
    append_xml(text, shape, &response, Way::kResponse, written);
    return text;
  };
  const Shape* list = nullptr;
  for (const Member& member : shape.members)
    if (member.name == "Volumes") list = member.shape;
  std::string one, two;
  append_xml_item(one, *list, &full.volumes[0], Way::kResponse);
  append_xml_item(two, *list, &full.volumes[1], Way::kResponse);
  EXPECT_EQ(one,
            "<item><size>1</size><tagSet><item><key>a</key><value>&lt;&amp;&gt;&quot;&#13;&#10;&#9;"
            "\xc3\xa9</value></item></tagSet></item>");
  EXPECT_EQ(text_of(empty, {"Volumes", {one, two}}), text_of(full, {}));
  EXPECT_EQ(text_of(empty, {"Volumes", {}}), text_of(empty, {}));
  EXPECT_NE(text_of(empty, {}).find("<volumeSet/>"), std::string::npos);
}

// An element's own text, an attribute with a namespace, a list whose elements have another name.
TEST(ApiXml, S3sOddShapes) {
  const Shape& location = *s3::kService.find("GetBucketLocation")->output.shape;
  s3::op::GetBucketLocation::Response region{.location_constraint = "eu-west-1"};
  std::string text;
  append_xml_element(text, "LocationConstraint", location, &region, "", Way::kResponse);
  EXPECT_EQ(text, "<LocationConstraint>eu-west-1</LocationConstraint>");
  s3::op::GetBucketLocation::Response again;
  pugi::xml_document document;
  read_xml(parse_xml(document, text), location, &again, Way::kResponse, false);
  EXPECT_EQ(again.location_constraint, "eu-west-1");

  const Member* policy = nullptr;
  for (const Member& member : s3::kService.find("PutBucketAcl")->input.shape->members)
    if (member.name == "AccessControlPolicy") policy = &member;
  const s3::op::PutBucketAcl::Request acl{
      .access_control_policy = {{.grants = {{.grantee = {{.id = "1", .type = "CanonicalUser"}}}}}}};
  text.clear();
  append_xml_element(text, policy->in, *policy->shape, get(*policy, &acl), "", Way::kRequest);
  EXPECT_EQ(text,
            "<AccessControlPolicy><AccessControlList><Grant><Grantee "
            "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"CanonicalUser\">"
            "<ID>1</ID></Grantee></Grant></AccessControlList></AccessControlPolicy>");
}

}  // namespace
}  // namespace api
