// Lines and words of ASTRA-sim's layer tables.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>

#include "app/training/workload.h"
#include "base/error.h"
#include "base/one_line.h"

namespace muster::training {
namespace {

constexpr std::int64_t kMostNanoseconds = std::int64_t{1} << 50;
constexpr std::size_t kWordsPerLayer = 12;

/// What the policies of the format mean for the passes: over which NPUs they communicate.
struct Policy {
  std::string_view name;
  Scope forward, input_gradient, weight_gradient;
  bool has_group = false;  ///< the first line says how many NPUs share a model
  bool has_join = false;   ///< the first line says behind which layer the embeddings join
};
constexpr std::array<Policy, 7> kPolicies{{
    {"DATA", Scope::all, Scope::all, Scope::all},
    {"MODEL", Scope::all, Scope::all, Scope::all},
    {"HYBRID_DATA_MODEL", Scope::model, Scope::model, Scope::data, true},
    {"HYBRID_MODEL_DATA", Scope::model, Scope::model, Scope::data, true},
    {"HYBRID_TRANSFORMER", Scope::model, Scope::model, Scope::data, true},
    {"HYBRID_DLRM", Scope::all, Scope::all, Scope::all, false, true},
    {"MICRO", Scope::all, Scope::all, Scope::all},
}};

struct Line {
  std::int64_t number = 0;
  std::vector<std::string_view> words;
};

std::vector<Line> lines_of(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r";
  std::vector<Line> lines;
  std::int64_t number = 0;
  while (!text.empty()) {
    ++number;
    std::string_view rest = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(rest.size() + 1, text.size()));
    Line line{.number = number, .words = {}};
    for (std::size_t at = rest.find_first_not_of(kSpaces); at != rest.npos; at = rest.find_first_not_of(kSpaces)) {
      rest.remove_prefix(at);
      line.words.push_back(rest.substr(0, rest.find_first_of(kSpaces)));
      rest.remove_prefix(line.words.back().size());
    }
    if (!line.words.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : file_(file), lines_(lines_of(text)) {}

  Workload read() && {
    if (lines_.empty()) reject("{}:1: the file is empty; a layer table is expected", file_);
    Workload workload{.name = std::filesystem::path(file_).stem().string(), .file = file_, .layers = {}};
    std::size_t next = 0;
    std::int64_t expected = -1;
    if (lines_[0].words.size() < kWordsPerLayer) {
      read_policy(lines_[0], workload);
      if (lines_.size() < 2 || lines_[1].words.size() != 1) {
        refuse(lines_.size() < 2 ? lines_[0] : lines_[1], "the number of layers is expected behind the policy");
      }
      expected = number(lines_[1], 0, "the number of layers", 1, kMostLayers);
      next = 2;
    }
    for (; next < lines_.size(); ++next) {
      if (static_cast<std::int64_t>(workload.layers.size()) >= kMostLayers) {
        refuse(lines_[next], "there are more than {} layers", kMostLayers);
      }
      workload.layers.push_back(layer(lines_[next]));
    }
    if (expected >= 0 && expected != static_cast<std::int64_t>(workload.layers.size())) {
      refuse(lines_[1], "{} layers are announced, {} follow", expected, workload.layers.size());
    }
    if (workload.layers.empty()) refuse(lines_.back(), "there is no layer");
    if (workload.joins_at && *workload.joins_at > workload.layers.size()) {
      refuse(lines_[0], "the embeddings join behind layer {}, but the last one is {}", *workload.joins_at - 1,
             workload.layers.size() - 1);
    }
    return workload;
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(const Line& line, fmt::format_string<Args...> format, Args&&... args) const {
    reject("{}:{}: {}", file_, line.number, fmt::format(format, std::forward<Args>(args)...));
  }

  void read_policy(const Line& line, Workload& workload) {
    const auto found = std::find_if(kPolicies.begin(), kPolicies.end(),
                                    [&](const Policy& policy) { return policy.name == line.words[0]; });
    if (found == kPolicies.end()) {
      std::vector<std::string> names;
      for (const Policy& policy : kPolicies) names.emplace_back(policy.name);
      refuse(line, "unknown policy '{}'; {}", one_line(line.words[0], 40), suggest(std::string(line.words[0]), names));
    }
    policy_ = *found;
    // "HYBRID_TRANSFORMER model_parallel_NPU_group: 4", "HYBRID_DLRM 4"
    if (policy_.has_group || policy_.has_join) {
      if (line.words.size() < 2) refuse(line, "{} needs a number behind it", policy_.name);
      const auto value =
          number(line, line.words.size() - 1, policy_.name, 1, policy_.has_group ? kMostNpus : kMostLayers);
      if (policy_.has_group) workload.model_npus = static_cast<std::int32_t>(value);
      if (policy_.has_join) workload.joins_at = static_cast<std::size_t>(value) + 1;
    } else if (line.words.size() > 1) {
      refuse(line, "'{}' behind {} is not expected", one_line(line.words[1], 40), policy_.name);
    }
  }

  [[nodiscard]] Layer layer(const Line& line) const {
    if (line.words.size() != kWordsPerLayer) {
      refuse(line,
             "{} words; a layer has {}: name, reserved, three times cycles, type and bytes, and the update's cycles",
             line.words.size(), kWordsPerLayer);
    }
    (void)number(line, 1, "the reserved word", INT32_MIN, INT32_MAX);
    return {.name = std::string(line.words[0]),
            .forward = pass(line, 2, policy_.forward),
            .input_gradient = pass(line, 5, policy_.input_gradient),
            .weight_gradient = pass(line, 8, policy_.weight_gradient),
            .update = {.compute = nanoseconds(line, 11)}};
  }

  [[nodiscard]] Pass pass(const Line& line, std::size_t first, Scope scope) const {
    Pass pass{.compute = nanoseconds(line, first)};
    const std::int64_t bytes = number(line, first + 2, "bytes", 0, kMostBytes);
    const std::optional<Collective> collective = collective_of(line, first + 1);
    if (collective && bytes > 0) {
      pass.communication = Communication{.collective = *collective,
                                         .bytes = Bytes(bytes),
                                         .scope = scope,
                                         .of_each = *collective == Collective::allgather};
    }
    return pass;
  }

  [[nodiscard]] std::optional<Collective> collective_of(const Line& line, std::size_t word) const {
    const std::string_view name = line.words[word];
    if (name == "NONE") return std::nullopt;
    if (name == "ALLREDUCE") return Collective::allreduce;
    if (name == "ALLGATHER") return Collective::allgather;
    if (name == "REDUCESCATTER") return Collective::reduce_scatter;
    if (name == "ALLTOALL") return Collective::all_to_all;
    const std::array<std::string, 5> known{"NONE", "ALLREDUCE", "ALLGATHER", "REDUCESCATTER", "ALLTOALL"};
    refuse(line, "unknown type '{}'; {}", one_line(name, 40), suggest(name, known));
  }

  [[nodiscard]] std::int64_t number(const Line& line, std::size_t word, std::string_view what, std::int64_t least,
                                    std::int64_t most) const {
    const std::string_view text = line.words[word];
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
      refuse(line, "{}: '{}' is no whole number from {} to {}", what, one_line(text, 24), least, most);
    }
    return value;
  }
  [[nodiscard]] Seconds nanoseconds(const Line& line, std::size_t word) const {
    return Seconds(static_cast<double>(number(line, word, "cycles", 0, kMostNanoseconds)) * 1e-9);
  }

  const std::string& file_;
  std::vector<Line> lines_;
  Policy policy_ = kPolicies[0];
};

}  // namespace

Workload read_astra(std::string_view text, const std::string& file) { return Reader(text, file).read(); }

}  // namespace muster::training
