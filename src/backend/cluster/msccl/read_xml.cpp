// Strict reading: what a runtime would trip over is refused here, with its line.
#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "backend/cluster/msccl/text.h"
#include "backend/cluster/msccl/xml.h"
#include "base/index.h"
#include "base/one_line.h"

namespace muster::msccl {
namespace {

using std::int32_t;

constexpr std::pair<std::string_view, Collective> kColls[] = {{"allreduce", Collective::allreduce},
                                                              {"allgather", Collective::allgather},
                                                              {"reduce_scatter", Collective::reduce_scatter}};

class AlgoReader {
 public:
  AlgoReader(std::string_view text, std::string_view file) : xml_(text, file) {}

  Algo read() && {
    expect_begin("algo");
    known({"name", "proto", "nchannels", "nchunksperloop", "ngpus", "coll", "inplace", "outofplace", "minBytes",
           "maxBytes", "redop", "nthreadblocks"});
    algo_.name = text_of("name");
    algo_.protocol = protocol();
    algo_.channels = number("nchannels", 1, kMostChannels);
    algo_.chunks_per_loop = number("nchunksperloop", 1, kMostChunks);
    algo_.gpus.resize(at(number("ngpus", 1, kMostGpus)));
    algo_.collective = collective();
    algo_.in_place = number("inplace", 0, 1) == 1;
    if ((optional("outofplace", 0, 1, algo_.in_place ? 0 : 1) == 1) == algo_.in_place) {
      refuse("inplace and outofplace must differ: one file, one of them");
    }
    algo_.least_bytes = optional("minBytes", 0, INT64_MAX, 0);
    algo_.most_bytes = optional("maxBytes", 0, INT64_MAX, 0);
    seen_.assign(algo_.gpus.size(), 0);
    while (begins("gpu", "algo")) read_gpu();
    for (std::size_t g = 0; g < seen_.size(); ++g) {
      if (seen_[g] == 0) refuse("<gpu id=\"{}\"> is missing; there are {} GPUs", g, seen_.size());
    }
    if (xml_.next(tag_)) refuse("<{}> comes after </algo>; a file has one algorithm", tag_.name);
    check_connections();
    return std::move(algo_);
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    xml_.refuse(tag_.line, format, std::forward<Args>(args)...);
  }

  void expect_begin(std::string_view name) {
    if (!xml_.next(tag_)) refuse("the file is empty; an <{}> is expected", name);
    if (tag_.is_end || tag_.name != name) refuse("unexpected <{}>; expected <{}>", tag_.name, name);
  }
  /// Whether a <name> begins; if not, the parent must end.
  bool begins(std::string_view name, std::string_view parent) {
    if (!xml_.next(tag_)) refuse("the text ends inside <{}>", parent);
    if (tag_.is_end) return false;
    if (name.empty()) refuse("<{}> is not expected: <{}> holds nothing", tag_.name, parent);
    if (tag_.name != name) refuse("<{}> is not expected in <{}>; <{}> is", tag_.name, parent, name);
    return true;
  }

  void known(std::initializer_list<std::string_view> names) const {
    const auto* expected = names.begin();  // most files have all, in this order
    for (const XmlAttribute& a : tag_.attributes) {
      if (expected != names.end() && *expected++ == a.name) continue;
      if (std::find(names.begin(), names.end(), a.name) != names.end()) continue;
      refuse("<{}> has no attribute '{}'; {}", tag_.name, one_line(a.name, 40),
             suggest(std::string(a.name), std::vector<std::string>(names.begin(), names.end())));
    }
  }
  /// Looked for behind the attribute that was found last, then from the first on.
  [[nodiscard]] const XmlAttribute* find(std::string_view name) {
    const std::size_t count = tag_.attributes.size();
    for (std::size_t i = 0; i < count; ++i) {
      next_ = next_ + 1 < count ? next_ + 1 : 0;
      if (tag_.attributes[next_].name == name) return &tag_.attributes[next_];
    }
    return nullptr;
  }
  [[nodiscard]] std::string_view text_of(std::string_view name) {
    const XmlAttribute* found = find(name);
    if (found == nullptr) refuse("<{}> lacks '{}'", tag_.name, name);
    return found->value;
  }
  [[nodiscard]] std::int64_t parsed(std::string_view name, std::string_view text, std::int64_t least,
                                    std::int64_t most) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
      refuse("<{} {}=\"{}\">: use a whole number from {} to {}", tag_.name, name, one_line(text, 24), least, most);
    }
    return value;
  }
  [[nodiscard]] int32_t number(std::string_view name, int32_t least, int32_t most) {
    return static_cast<int32_t>(parsed(name, text_of(name), least, most));
  }
  [[nodiscard]] std::int64_t optional(std::string_view name, std::int64_t least, std::int64_t most,
                                      std::int64_t otherwise) {
    const XmlAttribute* found = find(name);
    return found == nullptr ? otherwise : parsed(name, found->value, least, most);
  }

  [[nodiscard]] std::string protocol() {
    const std::string_view name = text_of("proto");
    if (name == "Simple" || name == "LL" || name == "LL128") return std::string(name);
    refuse("proto=\"{}\" is not known; use Simple, LL or LL128", one_line(name, 24));
  }

  [[nodiscard]] Collective collective() {
    const std::string_view name = text_of("coll");
    for (const auto& [known, collective] : kColls) {
      if (known == name) return collective;
    }
    refuse("coll=\"{}\" is not known here; use allreduce, allgather or reduce_scatter", one_line(name, 24));
  }

  void read_gpu() {
    known({"id", "i_chunks", "o_chunks", "s_chunks"});
    const int32_t id = number("id", 0, static_cast<int32_t>(algo_.gpus.size()) - 1);
    if (seen_[at(id)]++ != 0) refuse("<gpu id=\"{}\"> is defined twice", id);
    Gpu& gpu = algo_.gpus[at(id)];
    gpu.line = {tag_.line};
    gpu.input_chunks = number("i_chunks", 0, kMostChunks);
    gpu.output_chunks = number("o_chunks", 0, kMostChunks);
    gpu.scratch_chunks = number("s_chunks", 0, kMostChunks);
    lines_.clear();
    const int32_t line = tag_.line;
    while (begins("tb", "gpu")) read_block(gpu, id);
    tag_.line = line;
    check_blocks(gpu, id);
  }

  void read_block(Gpu& gpu, int32_t id) {
    known({"id", "send", "recv", "chan"});
    const auto next = static_cast<int32_t>(gpu.blocks.size());
    if (number("id", 0, kMostChunks) != next) {
      refuse("<tb id=\"{}\">: thread blocks are numbered consecutively; expected {}", text_of("id"), next);
    }
    const auto last = static_cast<int32_t>(algo_.gpus.size()) - 1;
    ThreadBlock block{.send = number("send", -1, last),
                      .receive = number("recv", -1, last),
                      .channel = number("chan", 0, algo_.channels - 1),
                      .steps = {},
                      .line = {tag_.line}};
    if (block.send == id || block.receive == id) refuse("GPU {} has itself as a peer", id);
    connect(id, block);
    lines_.emplace_back();
    while (begins("step", "tb")) read_step(gpu, block);
    gpu.blocks.push_back(std::move(block));
  }

  void connect(int32_t id, const ThreadBlock& block) {
    if (block.send != kNone && !senders_.emplace(std::tuple(id, block.send, block.channel), tag_.line).second) {
      refuse("two thread blocks send from GPU {} to GPU {} on channel {}", id, block.send, block.channel);
    }
    if (block.receive != kNone && !receivers_.emplace(std::tuple(block.receive, id, block.channel), tag_.line).second) {
      refuse("two thread blocks receive at GPU {} from GPU {} on channel {}", id, block.receive, block.channel);
    }
  }

  void read_step(const Gpu& gpu, ThreadBlock& block) {
    known({"s", "type", "srcbuf", "srcoff", "dstbuf", "dstoff", "cnt", "depid", "deps", "hasdep"});
    const auto next = static_cast<int32_t>(block.steps.size());
    if (next == kMostSteps) refuse("a thread block has at most {} steps", kMostSteps);
    if (number("s", 0, kMostSteps) != next) {
      refuse("<step s=\"{}\">: steps are numbered consecutively; expected {}", text_of("s"), next);
    }
    Step step{.type = type()};
    step.line = {tag_.line};
    step.source = address("src", "srcbuf", "srcoff");
    step.destination = address("dst", "dstbuf", "dstoff");
    step.count = number("cnt", step.type == Type::nop ? 0 : 1, kMostChunksPerStep);
    step.dependency = {.block = number("depid", -1, kMostChunks), .step = number("deps", -1, kMostSteps - 1)};
    if ((step.dependency.block < 0) != (step.dependency.step < 0)) refuse("depid and deps go together; -1 is none");
    step.has_dependents = number("hasdep", 0, 1) == 1;
    if (reads_source(step.type)) check_address(gpu, step.source, step.count, "src");
    if (stores(step.type)) check_address(gpu, step.destination, step.count, "dst");
    if (sends(step.type) && block.send == kNone) refuse("a step sends, but its thread block has no send peer");
    if (receives(step.type) && block.receive == kNone) refuse("a step receives, but its thread block has no recv peer");
    while (begins("", "step")) continue;
    lines_.back().push_back(tag_.line);
    block.steps.push_back(step);
  }

  [[nodiscard]] Type type() {
    const std::string_view name = text_of("type");
    const auto found = std::find(kTypeNames.begin(), kTypeNames.end(), name);
    if (found == kTypeNames.end()) {
      refuse("type=\"{}\" is unknown; {}", one_line(name, 24),
             suggest(std::string(name), std::vector<std::string>(kTypeNames.begin(), kTypeNames.end())));
    }
    return static_cast<Type>(found - kTypeNames.begin());
  }
  [[nodiscard]] Address address(std::string_view which, std::string_view buffer, std::string_view chunk) {
    const std::string_view name = text_of(buffer);
    if (name != "i" && name != "o" && name != "s") {
      refuse("{}buf=\"{}\" is unknown; use i, o or s", which, one_line(name, 24));
    }
    return {.buffer = name == "i"   ? Buffer::input
                      : name == "o" ? Buffer::output
                                    : Buffer::scratch,
            .chunk = number(chunk, -1, kMostChunks)};
  }
  void check_address(const Gpu& gpu, const Address& address, int32_t count, const char* which) const {
    const int32_t chunks = address.buffer == Buffer::input    ? gpu.input_chunks
                           : address.buffer == Buffer::output ? gpu.output_chunks
                                                              : gpu.scratch_chunks;
    if (address.chunk >= 0 && address.chunk + count <= chunks) return;
    refuse("{}off=\"{}\" with cnt=\"{}\" is outside the buffer; it has {} chunks", which, address.chunk, count, chunks);
  }

  /// Dependencies name steps that exist; a channel has not too many thread blocks.
  void check_blocks(const Gpu& gpu, int32_t id) const {
    std::map<int32_t, int32_t> of_channel;
    for (std::size_t b = 0; b < gpu.blocks.size(); ++b) {
      const ThreadBlock& block = gpu.blocks[b];
      if (++of_channel[block.channel] > kMostBlocks) {
        refuse("GPU {} has more than {} thread blocks on channel {}", id, kMostBlocks, block.channel);
      }
      for (std::size_t s = 0; s < block.steps.size(); ++s) {
        const auto [other, step] = block.steps[s].dependency;
        if (other == kNone) continue;
        const bool exists = at(other) < gpu.blocks.size() && at(step) < gpu.blocks[at(other)].steps.size();
        if (!exists) xml_.refuse(lines_[b][s], "thread block {} of GPU {} has no step {}", other, id, step);
        if (at(other) == b && at(step) >= s) {
          xml_.refuse(lines_[b][s], "the step waits for step {} of its own thread block", step);
        }
        if (!gpu.blocks[at(other)].steps[at(step)].has_dependents) {
          xml_.refuse(lines_[b][s], "step {} of thread block {} has hasdep=\"0\", but this one waits for it", step,
                      other);
        }
      }
    }
  }

  void check_connections() const {
    for (const auto& [key, line] : senders_) {
      if (receivers_.contains(key)) continue;
      const auto [from, to, channel] = key;
      xml_.refuse(line, "no thread block of GPU {} receives from GPU {} on channel {}", to, from, channel);
    }
    for (const auto& [key, line] : receivers_) {
      if (senders_.contains(key)) continue;
      const auto [from, to, channel] = key;
      xml_.refuse(line, "no thread block of GPU {} sends to GPU {} on channel {}", from, to, channel);
    }
  }

  XmlReader xml_;
  XmlTag tag_;
  std::size_t next_ = 0;  ///< of the tag's attributes, the one that was found last
  Algo algo_;
  std::vector<int> seen_;                                                 ///< of each GPU: how often it was read
  std::vector<std::vector<int32_t>> lines_;                               ///< of the GPU's steps
  using Ends = std::map<std::tuple<int32_t, int32_t, int32_t>, int32_t>;  ///< from, to, channel → line
  Ends senders_, receivers_;
};

}  // namespace

std::string_view coll_name(Collective collective) {
  for (const auto& [name, known] : kColls) {
    if (known == collective) return name;
  }
  return {};
}

Algo read_xml(std::string_view text, std::string_view file) { return AlgoReader(text, file).read(); }

}  // namespace muster::msccl
