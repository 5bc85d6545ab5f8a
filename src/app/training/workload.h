// A training iteration as a list of layers: what each computes, and what it has to communicate before others may go on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "schedule/contract.h"

namespace muster::training {

/// Among which NPUs: all, those that share one copy of the model (the first dimensions), those that hold the same part of
/// different copies (the others), or those along the dimensions that are named.
enum class Scope : std::uint8_t { all, model, data, dimensions };

struct Communication {
  Collective collective = Collective::allreduce;
  Bytes bytes;  ///< of the vector of every NPU
  Scope scope = Scope::all;
  std::vector<std::int32_t> dimensions = {};  ///< of Scope::dimensions, from 0
  bool of_each = false;                       ///< `bytes` is what each NPU adds to an allgather, not the whole vector
  int line = 0;                               ///< of the file, where that is known
  bool operator==(const Communication&) const = default;
};

struct Pass {
  Seconds compute;
  std::optional<Communication> communication = {};
};

struct Layer {
  std::string name;
  Pass forward;             ///< the next layer waits for what is communicated
  Pass input_gradient;      ///< the layer before waits for it
  Pass weight_gradient;     ///< the update of the weights waits for it
  Pass update = {};         ///< of the weights, when all gradients are there; the next iteration waits for it
  bool recomputes = false;  ///< the forward pass is done once more before the gradients: its results were not kept
};

struct Workload {
  std::string name;
  std::string file;  ///< for messages
  std::string summary = {};
  std::vector<Layer> layers;
  std::int32_t model_npus = 1;  ///< that share one copy of the model; Scope::model are these
  int model_npus_line = 1;      ///< of the file
  std::int64_t batch = 0;       ///< samples per NPU that are computed in the times of the passes; 0: not said
  /// The first layer is embeddings beside the others: what it communicates is waited for before this layer (after the last
  /// one, if it is as many as there are). None: it is an ordinary layer.
  std::optional<std::size_t> joins_at = {};
};

inline constexpr std::int64_t kMostLayers = 100'000;
inline constexpr std::int64_t kMostBatch = 1'000'000'000;
inline constexpr std::int64_t kMostNpus = std::int64_t{1} << 31;   ///< of one model
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;  ///< of one communication

/// A layer table of ASTRA-sim 1.0: the policy, the number of layers, and a line for each (name, reserved, then for each pass
/// cycles of 1 ns, a type and bytes, then the update's cycles). The two first lines may be missing; then the policy is DATA.
/// Throws InputError "file:line: ...".
Workload read_astra(std::string_view text, const std::string& file);

/// A workload of our own, docs/cluster.md. Throws InputError "file:line: ...".
Workload read_toml(std::string_view text, const std::string& file);

/// Either, by the end of the file's name: .toml is ours.
Workload read_workload(std::string_view text, const std::string& file);

}  // namespace muster::training
