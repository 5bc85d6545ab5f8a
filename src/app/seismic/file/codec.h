// What each format can do. A new one implements this and gets its line in codec_of().
#pragma once

#include <cstdint>
#include <string>

#include "app/seismic/file/byte_sink.h"
#include "app/seismic/file/byte_source.h"
#include "app/seismic/file/format.h"
#include "app/seismic/file/gather.h"

namespace muster::seismic {

/// `name`, of the file, begins every message.
class Codec {
 public:
  Codec() = default;
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;
  virtual ~Codec() = default;

  /// Whether a file with a header holds a cube, not a gather.
  [[nodiscard]] virtual bool holds_cube(const ByteSource& source) const = 0;
  [[nodiscard]] virtual Gather read_gather(const ByteSource& source, const ReadOptions& options) const = 0;
  virtual void read_cube(const ByteSource& source, const ReadOptions& options, const BeginCube& begin) const = 0;

  /// The size of the file. Throws InputError if it cannot hold the gather or cube.
  [[nodiscard]] virtual std::int64_t file_bytes(const Gather& gather, Precision precision,
                                                const std::string& name) const = 0;
  [[nodiscard]] virtual std::int64_t file_bytes(const CubeInfo& cube, Precision precision,
                                                const std::string& name) const = 0;
  /// Of something for which file_bytes() does not throw.
  virtual void write(const Gather& gather, Precision precision, ByteSink& sink, const std::string& name) const = 0;
  virtual void write(const CubeInfo& cube, const FillRow& fill, Precision precision, ByteSink& sink,
                     const std::string& name) const = 0;
};

const Codec& segy_codec();
const Codec& su_codec();
const Codec& rsf_codec();
const Codec& raw_codec();

const Codec& codec_of(Format format);

}  // namespace muster::seismic
