// Workloads of our own: blocks of layers, some repeated, and four passes per layer, each with what it computes (operations, or a
// time) and what it communicates.
#include <algorithm>
#include <array>
#include <filesystem>

#include "app/training/workload.h"
#include "base/error.h"
#include "base/index.h"
#include "base/toml_reader.h"

namespace muster::training {
namespace {

constexpr double kMostSeconds = 86'400;
constexpr std::int32_t kMostDimensions = 64;

const std::array<std::string, 4> kCollectives{"allreduce", "reduce-scatter", "allgather", "all-to-all"};
const std::array<std::string, 3> kScopes{"all", "model", "data"};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : document_(text, file), root_(document_.root()) {
    workload_.name = std::filesystem::path(file).stem().string();
    workload_.file = file;
  }

  Workload read() && {
    workload_.summary = root_.string("summary");
    if (root_.has("flops_per_second")) rate_ = positive(root_, "flops_per_second");
    if (root_.has("batch")) workload_.batch = root_.integer("batch", {1, kMostBatch});
    if (root_.has("model_npus")) {
      workload_.model_npus = static_cast<std::int32_t>(root_.integer("model_npus", {1, INT32_MAX}));
      workload_.model_npus_line = root_.line("model_npus");
    }
    const std::vector<TomlTable> blocks = root_.tables("block");
    if (blocks.empty()) root_.refuse("block", "there is none; a workload has at least one [[block]]");
    for (const TomlTable& block : blocks) read_block(block);
    read_join();
    document_.finish();
    return std::move(workload_);
  }

 private:
  static double positive(const TomlTable& table, const char* key) {
    const double value = table.number(key);
    if (value <= 0) table.refuse(key, fmt::format("{} is not positive", table.described(key)));
    return value;
  }

  void read_block(const TomlTable& block) {
    names_.push_back(block.string("name"));
    first_layers_.push_back(workload_.layers.size());
    if (std::count(names_.begin(), names_.end(), names_.back()) > 1) {
      block.refuse("name", fmt::format("{} is used twice; give each block its own", block.described("name")));
    }
    const bool recomputes = block.has("recompute") && block.boolean("recompute");
    const std::int64_t repeat = block.has("repeat") ? block.integer("repeat", {1, kMostLayers}) : 1;
    std::vector<Layer> layers;
    for (const TomlTable& table : block.tables("layer")) {
      layers.push_back(layer(table));
      layers.back().recomputes = recomputes;
    }
    if (layers.empty()) block.refuse("layer", "there is none; a block has at least one [[block.layer]]");
    if (static_cast<std::int64_t>(workload_.layers.size() + at(repeat) * layers.size()) > kMostLayers) {
      block.refuse("repeat", fmt::format("there would be more than {} layers", kMostLayers));
    }
    for (std::int64_t i = 0; i < repeat; ++i) {
      workload_.layers.insert(workload_.layers.end(), layers.begin(), layers.end());
    }
  }

  Layer layer(const TomlTable& table) {
    return {.name = table.string("name"),
            .forward = pass(table, "forward"),
            .input_gradient = pass(table, "input_gradient"),
            .weight_gradient = pass(table, "weight_gradient"),
            .update = pass(table, "update")};
  }

  Pass pass(const TomlTable& layer, const char* key) {
    if (!layer.has(key)) return {};
    const TomlTable table = layer.table(key);
    Pass pass{.compute = compute(table)};
    if (table.has("collective")) pass.communication = communication(table);
    if (!pass.communication && (table.has("bytes") || table.has("scope") || table.has("dimensions"))) {
      table.refuse("collective", "is missing; name the collective for these bytes");
    }
    return pass;
  }

  Seconds compute(const TomlTable& table) const {
    double seconds = 0;
    const bool timed = table.has("time");
    if (table.has("flops")) {
      if (timed) table.refuse("flops", "is given together with 'time'; give one of the two");
      if (!rate_) table.refuse("flops", "needs flops_per_second at the top of the file");
      seconds = table.number("flops") / *rate_;
    } else if (timed) {
      const Time time = table.time("time");
      if (time.kind == Time::Kind::cycles) table.refuse("time", "a workload has no clock; use e.g. '2.5 us'");
      seconds = time.value;
    }
    if (!(seconds >= 0 && seconds <= kMostSeconds)) {
      table.refuse(timed ? "time" : "flops", fmt::format("takes {} s; use 0 s to {} s", seconds, kMostSeconds));
    }
    return Seconds(seconds);
  }

  static Communication communication(const TomlTable& table) {
    Communication c{.collective = *collective_from_name(table.choice("collective", kCollectives)),
                    .bytes = table.bytes("bytes"),
                    .line = table.line("collective")};
    if (c.bytes.value() < 1 || c.bytes.value() > kMostBytes) {
      table.refuse("bytes", fmt::format("{} is out of range; use 1 to {}", c.bytes.value(), kMostBytes));
    }
    if (!table.has("dimensions")) {
      const auto scope = std::find(kScopes.begin(), kScopes.end(), table.choice("scope", kScopes));
      c.scope = static_cast<Scope>(scope - kScopes.begin());
      return c;
    }
    if (table.has("scope")) table.refuse("dimensions", "is given together with 'scope'; give one of the two");
    c.scope = Scope::dimensions;
    c.line = table.line("dimensions");
    for (const std::int64_t number : table.integers("dimensions", {1, kMostDimensions})) {
      c.dimensions.push_back(static_cast<std::int32_t>(number - 1));
    }
    std::sort(c.dimensions.begin(), c.dimensions.end());
    const bool twice = std::adjacent_find(c.dimensions.begin(), c.dimensions.end()) != c.dimensions.end();
    if (twice || c.dimensions.empty())
      table.refuse("dimensions", "name each dimension once, at least one: e.g. [1, 2]");
    return c;
  }

  void read_join() {
    if (!root_.has("joins_at")) return;
    const auto found = std::find(names_.begin(), names_.end(), root_.choice("joins_at", names_));
    workload_.joins_at = first_layers_[at(found - names_.begin())];
    if (*workload_.joins_at == 0)
      root_.refuse("joins_at", "the first layer cannot wait for itself; name a later block");
  }

  TomlDocument document_;
  TomlTable root_;
  Workload workload_;
  std::optional<double> rate_;
  std::vector<std::string> names_;         ///< of the blocks
  std::vector<std::size_t> first_layers_;  ///< of each
};

}  // namespace

Workload read_toml(std::string_view text, const std::string& file) { return Reader(text, file).read(); }

Workload read_workload(std::string_view text, const std::string& file) {
  return file.ends_with(".toml") ? read_toml(text, file) : read_astra(text, file);
}

}  // namespace muster::training
