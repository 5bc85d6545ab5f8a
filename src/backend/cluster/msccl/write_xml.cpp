// Attributes in the order in which others write them.
#include <fmt/format.h>

#include <iterator>

#include "backend/cluster/msccl/text.h"
#include "base/index.h"
#include "base/xml_comment.h"

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

char letter(Buffer buffer) { return buffer == Buffer::input ? 'i' : buffer == Buffer::output ? 'o' : 's'; }

constexpr std::size_t kBytesPerStep = 128;  ///< about

std::size_t steps_in(const Algo& algo) {
  std::size_t steps = 0;
  for (const Gpu& gpu : algo.gpus) {
    for (const ThreadBlock& block : gpu.blocks) steps += block.steps.size() + 1;
  }
  return steps;
}

/// A file has a line per step, so these are put together by hand: four times as fast as by a format string.
class StepLines {
 public:
  explicit StepLines(std::string& text) : text_(text) {}

  void write(const Step& step, std::size_t number) {
    text_ += "      <step";
    add(" s=\"", static_cast<std::int64_t>(number));
    text_ += "\" type=\"";
    text_ += kTypeNames[static_cast<std::size_t>(step.type)];
    write_address("\" srcbuf=\"", "\" srcoff=\"", step.source);
    write_address("\" dstbuf=\"", "\" dstoff=\"", step.destination);
    add("\" cnt=\"", step.count);
    add("\" depid=\"", step.dependency.block);
    add("\" deps=\"", step.dependency.step);
    add("\" hasdep=\"", step.has_dependents ? 1 : 0);
    text_ += "\"/>\n";
  }

 private:
  void add(std::string_view before, std::int64_t number) {
    const fmt::format_int digits(number);
    text_ += before;
    text_.append(digits.data(), digits.size());
  }
  void write_address(std::string_view before_buffer, std::string_view before_chunk, const Address& address) {
    text_ += before_buffer;
    text_ += letter(address.buffer);
    add(before_chunk, address.chunk);
  }

  std::string& text_;
};

}  // namespace

std::string write_xml(const Algo& algo, std::string_view comment) {
  std::string text;
  auto out = std::back_inserter(text);
  StepLines lines(text);
  text.reserve(kBytesPerStep * steps_in(algo));
  if (!comment.empty()) fmt::format_to(out, "<!-- {} -->\n", xml_comment(comment));
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
      for (std::size_t s = 0; s < block.steps.size(); ++s) lines.write(block.steps[s], s);
      text += "    </tb>\n";
    }
    text += "  </gpu>\n";
  }
  text += "</algo>\n";
  return text;
}

}  // namespace muster::msccl
