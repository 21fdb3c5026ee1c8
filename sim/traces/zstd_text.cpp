#include "sim/traces/zstd_text.h"

#include <stdexcept>

#ifdef SPOTSIM_HAS_ZSTD
#include <zstd.h>

#include <memory>
#endif

namespace sim::traces {

#ifdef SPOTSIM_HAS_ZSTD

std::string zstd_text(std::string_view bytes, std::size_t most) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          ZSTD_freeDStream);
  std::string text;
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  const std::size_t chunk = ZSTD_DStreamOutSize();
  for (std::size_t left = 1; in.pos < in.size || left != 0;) {  // 0: a frame is complete
    const std::size_t had = text.size(), read = in.pos;
    text.resize(had + chunk);
    ZSTD_outBuffer out{text.data() + had, chunk, 0};
    left = ZSTD_decompressStream(stream.get(), &out, &in);
    text.resize(had + out.pos);
    if (ZSTD_isError(left) != 0)
      throw std::runtime_error(std::string("damaged zstd file: ") + ZSTD_getErrorName(left));
    if (text.size() > most) throw std::runtime_error("more text than a trace may have");
    if (out.pos == 0 && in.pos == read) throw std::runtime_error("damaged zstd file: cut short");
  }
  return text;
}

#else

std::string zstd_text(std::string_view, std::size_t) {
  throw std::runtime_error(
      "compressed by zstd, which this build cannot read: decompress it (zstd -d), or build with "
      "libzstd-dev");
}

#endif

}  // namespace sim::traces
