// For tests of emitted CSL: its files, and what the reader makes of them.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "backend/wafer/csl/samples.h"
#include "backend/wafer/csl_reader/read_csl.h"

namespace muster::wafer {

inline std::map<std::string, std::string> emitted(const WaferProgram& program, EmitOptions options = {}) {
  if (options.command.empty()) options.command = "muster emit --target csl";
  const auto files = emit_csl(program, options);
  if (!files) throw std::runtime_error(files.reason());
  std::map<std::string, std::string> texts;
  for (const EmittedFile& file : files.value()) texts[file.name] = file.text;
  return texts;
}

/// Why a program is not written, or nothing.
inline std::string reason_of(const WaferProgram& program, const EmitOptions& options = {}) {
  const auto files = emit_csl(program, options);
  return files ? "" : files.reason();
}

/// Throws where the text is not what the reader takes: open brackets, unknown names, queues that are taken.
inline std::unique_ptr<WaferProgram> read_again(const std::map<std::string, std::string>& files,
                                                const Machine& machine) {
  CslSource source;
  source.files = files;
  return read_csl(source, machine);
}

inline const std::vector<Operation>& operations_of(const WaferProgram& program, std::size_t processor) {
  return program.classes[static_cast<std::size_t>(program.class_of[processor])].operations;
}

/// How often the text has the word.
inline int count_of(std::string_view word, std::string_view text) {
  int count = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

/// PE 1 sends a vector to PE 0 word by word, in an order that forms no loops; `pieces`: a prime, not 1 more than a
/// multiple of 3.
inline std::unique_ptr<WaferProgram> scrambled(const std::string& machine, std::int64_t pieces) {
  ScheduleBuilder b({.nodes = 2, .count = pieces});
  for (std::int64_t p = 0; p < pieces; ++p) {
    const SpanId piece = b.span({p * p * p % pieces, 1});
    const StreamId stream = b.stream(1, 0, piece);
    b.step(1, piece).own(Buffer::input).push(stream);
    b.step(0, piece).own(Buffer::input).take(stream).store(Buffer::output);
  }
  b.contract({.collective = Collective::reduce, .ranks = {0, 1}, .root = 0, .count = pieces});
  return samples::lowered(std::move(b).finish(), samples::row_of(machine, 2), {});
}

}  // namespace muster::wafer
