// Attributes in the order in which others write them.
#include <fmt/format.h>

#include <iterator>

#include "backend/cluster/msccl/text.h"
#include "base/index.h"

namespace muster::msccl {
namespace {

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else if (c == '&') {
      safe += "&amp;";
    } else if (c == '"') {
      safe += "&quot;";
    } else {
      safe += c;
    }
  }
  return safe;
}

/// Two hyphens end a comment.
std::string without_hyphens(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '-' && !safe.empty() && safe.back() == '-') safe += ' ';
    safe += c;
  }
  return safe;
}

char letter(Buffer buffer) { return buffer == Buffer::input ? 'i' : buffer == Buffer::output ? 'o' : 's'; }

void write(const Step& step, std::size_t number, std::string& text) {
  fmt::format_to(std::back_inserter(text),
                 "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" cnt=\"{}\" "
                 "depid=\"{}\" deps=\"{}\" hasdep=\"{}\"/>\n",
                 number, kTypeNames[static_cast<std::size_t>(step.type)], letter(step.source.buffer), step.source.chunk,
                 letter(step.destination.buffer), step.destination.chunk, step.count, step.dependency.block,
                 step.dependency.step, step.has_dependents ? 1 : 0);
}

}  // namespace

std::string write_xml(const Algo& algo, std::string_view comment) {
  std::string text;
  auto out = std::back_inserter(text);
  if (!comment.empty()) fmt::format_to(out, "<!-- {} -->\n", without_hyphens(comment));
  fmt::format_to(out,
                 "<algo name=\"{}\" proto=\"{}\" nchannels=\"{}\" nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" "
                 "inplace=\"{}\" outofplace=\"{}\" minBytes=\"{}\" maxBytes=\"{}\">\n",
                 escaped(algo.name), escaped(algo.protocol), algo.channels, algo.chunks_per_loop, algo.gpus.size(),
                 coll_name(algo.collective), algo.in_place ? 1 : 0, algo.in_place ? 0 : 1, algo.least_bytes,
                 algo.most_bytes);
  for (std::size_t g = 0; g < algo.gpus.size(); ++g) {
    const Gpu& gpu = algo.gpus[g];
    fmt::format_to(out, "  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", g, gpu.input_chunks,
                   gpu.output_chunks, gpu.scratch_chunks);
    for (std::size_t b = 0; b < gpu.blocks.size(); ++b) {
      const ThreadBlock& block = gpu.blocks[b];
      fmt::format_to(out, "    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", b, block.send, block.receive,
                     block.channel);
      for (std::size_t s = 0; s < block.steps.size(); ++s) write(block.steps[s], s, text);
      text += "    </tb>\n";
    }
    text += "  </gpu>\n";
  }
  return text + "</algo>\n";
}

}  // namespace muster::msccl
