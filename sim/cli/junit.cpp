#include "sim/cli/junit.h"

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

#include "base/files/text_file.h"
#include "sim/events/read.h"

namespace sim::cli {
namespace {

// Replaces characters that XML 1.0 does not allow (production 2, Char).
std::string as_xml_text(const std::string& text) {
  std::string clean;
  for (const char c : events::as_utf8(text)) {
    const bool control = static_cast<unsigned char>(c) < 0x20;
    if (control && c != '\t' && c != '\n' && c != '\r')
      clean += "\xef\xbf\xbd";
    else
      clean += c;
  }
  return clean;
}

void set(pugi::xml_node node, const char* attribute, const std::string& value) {
  node.append_attribute(attribute) = as_xml_text(value).c_str();
}

void add_case(pugi::xml_node suite, const std::string& suite_name, const JunitCase& one) {
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "classname", suite_name);
  set(test, "name", one.name);
  if (one.failure) {
    pugi::xml_node failure = test.append_child("failure");
    set(failure, "message", *one.failure);
    if (!one.details.empty()) failure.text().set(as_xml_text(one.details).c_str());
  }
  if (!one.output.empty())
    test.append_child("system-out").text().set(as_xml_text(one.output).c_str());
}

}  // namespace

void write_junit(const std::vector<JunitSuite>& suites, const std::filesystem::path& file) {
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("testsuites");
  for (const JunitSuite& suite : suites) {
    pugi::xml_node node = root.append_child("testsuite");
    set(node, "name", suite.name);
    node.append_attribute("tests") = static_cast<unsigned>(suite.cases.size());
    node.append_attribute("failures") = static_cast<unsigned>(std::ranges::count_if(
        suite.cases, [](const JunitCase& one) { return one.failure.has_value(); }));
    for (const JunitCase& one : suite.cases) add_case(node, suite.name, one);
  }
  std::ostringstream text;
  document.save(text, "  ");
  base::write_text_file(file, text.str());
}

}  // namespace sim::cli
