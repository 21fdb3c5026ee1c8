#include "sim/guest/fiber/curl_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/files/whole_file.h"
#include "fakes/spotinst/spotinst.h"

namespace sim::guest {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const SimpleCommand& command, const std::string& why) {
  throw ScriptError(command.line,
                    fmt::format("found `{}`: {}", fmt::join(command.words, " "), why));
}

std::string target_of(const SimpleCommand& command, const std::string& url) {
  const std::string api = fmt::format("https://{}", fakes::spotinst::kHost);
  if (!url.starts_with(api + "/"))
    refuse(command, fmt::format("found the URL \"{}\", expected one that begins with {}/: the curl "
                                "of fiber guests reaches no other host",
                                url, api));
  return url.substr(api.size());
}

std::string body_of(const SimpleCommand& command, const fs::path& folder, const std::string& data) {
  if (!data.starts_with('@')) return data;
  const auto text = base::read_file(folder / data.substr(1));
  if (!text)
    refuse(command, fmt::format("{}: there is no such file next to the scenario", data.substr(1)));
  return *text;
}

std::pair<std::string, std::string> header_of(const SimpleCommand& command,
                                              const std::string& header) {
  const auto colon = header.find(": ");
  if (colon == header.npos)
    refuse(command, fmt::format("found the header \"{}\", expected NAME: VALUE", header));
  return {header.substr(0, colon), header.substr(colon + 2)};
}

}  // namespace

CurlCommand read_curl(const SimpleCommand& command, const fs::path& folder) {
  CurlCommand made;
  std::string data, url;
  std::vector<std::string> headers;
  bool quiet = false;
  CLI::App app;
  app.set_help_flag();
  app.add_flag("-s,--silent,-S,--show-error,-f,--fail,--fail-with-body", quiet);
  app.add_option("-X,--request", made.method);
  app.add_option("-H,--header", headers)->allow_extra_args(false);
  app.add_option("-d,--data", data);
  app.add_option("url", url)->required();
  try {
    app.parse(std::vector<std::string>(command.words.rbegin(), command.words.rend() - 1));
  } catch (const CLI::ParseError& error) {
    refuse(command, error.what());
  }
  if (made.method.empty()) made.method = data.empty() ? "GET" : "POST";
  made.target = target_of(command, url);
  made.body = body_of(command, folder, data);
  for (const std::string& header : headers) made.headers.push_back(header_of(command, header));
  return made;
}

}  // namespace sim::guest
