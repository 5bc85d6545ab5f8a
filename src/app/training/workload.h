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

/// Among which NPUs: all, those that share one copy of the model (the first dimensions), or those that hold the same part of
/// different copies (the others).
enum class Scope : std::uint8_t { all, model, data };

struct Communication {
  Collective collective = Collective::allreduce;
  Bytes bytes;  ///< of the vector of every NPU
  Scope scope = Scope::all;
  bool operator==(const Communication&) const = default;
};

struct Pass {
  Seconds compute;
  std::optional<Communication> communication = {};
};

struct Layer {
  std::string name;
  Pass forward;          ///< the next layer waits for what is communicated
  Pass input_gradient;   ///< the layer before waits for it
  Pass weight_gradient;  ///< the next iteration waits for it
  Seconds update;        ///< of the weights, when their gradients are there
};

struct Workload {
  std::string name;
  std::vector<Layer> layers;
  std::int32_t model_npus = 1;  ///< that share one copy of the model; Scope::model are these
  /// Embeddings beside the first layers: their all-to-all is waited for before this layer; none if they are ordinary layers.
  std::optional<std::size_t> joins_at = {};
};

/// A layer table of ASTRA-sim 1.0: the policy, the number of layers, and a line for each (name, reserved, then for each pass
/// cycles of 1 ns, a type and bytes, then the update's cycles). The two first lines may be missing; then the policy is DATA.
/// Throws InputError "file:line: ...".
Workload read_astra(std::string_view text, const std::string& file);

}  // namespace muster::training
