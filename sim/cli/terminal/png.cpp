#include "sim/cli/terminal/png.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

#include "base/process/process.h"

namespace sim::cli {
namespace {

constexpr const char* kProgram = "rsvg-convert";

}  // namespace

std::string png_of(const std::string& svg) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  if (!file || std::fwrite(svg.data(), 1, svg.size(), file.get()) != svg.size())
    throw std::runtime_error("a temporary file cannot be written, expected room in /tmp");
  std::rewind(file.get());
  base::ProcessEnd end;
  try {
    end = base::run_process(
        {.argv = {kProgram, "--zoom", "2", "--format", "png"}, .input = fileno(file.get())});
  } catch (const std::runtime_error&) {
    throw std::runtime_error(fmt::format(
        "found no program {0}, which makes .png: install it (apt-get install librsvg2-bin), or "
        "write .svg or .html",
        kProgram));
  }
  if (end.status != 0)
    throw std::runtime_error(
        fmt::format("{}: exit status {}: {}", kProgram, end.status, end.errors));
  return end.output;
}

}  // namespace sim::cli
