#include "sim/cli/junit.h"

#include <algorithm>
#include <pugixml.hpp>
#include <stdexcept>

namespace sim::cli {
namespace {

void add_case(pugi::xml_node suite, const std::string& suite_name, const run::Verdict& verdict) {
  pugi::xml_node test = suite.append_child("testcase");
  test.append_attribute("classname") = suite_name.c_str();
  test.append_attribute("name") = verdict.what.c_str();
  if (verdict.fails()) {
    test.append_child("failure").append_attribute("message") = ("found " + verdict.found).c_str();
  }
}

}  // namespace

void write_junit(const std::vector<run::Result>& results, const std::filesystem::path& file) {
  pugi::xml_document document;
  pugi::xml_node suites = document.append_child("testsuites");
  for (const run::Result& result : results) {
    std::vector<run::Verdict> cases = result.expectations;
    cases.insert(cases.end(), result.invariants.begin(), result.invariants.end());
    pugi::xml_node suite = suites.append_child("testsuite");
    suite.append_attribute("name") = result.scenario.c_str();
    suite.append_attribute("tests") = static_cast<unsigned>(cases.size());
    suite.append_attribute("failures") = static_cast<unsigned>(
        std::count_if(cases.begin(), cases.end(), [](const auto& v) { return v.fails(); }));
    for (const run::Verdict& verdict : cases) add_case(suite, result.scenario, verdict);
  }
  if (!document.save_file(file.c_str(), "  ")) {
    throw std::runtime_error("cannot write " + file.string());
  }
}

}  // namespace sim::cli
