// A machine: a description of hardware, read from machines/NAME.toml, in the shape that a call uses.
// Machines are data: code never tests a machine's name, and new C++ is needed only for a new family.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "base/carried.h"
#include "base/units.h"

namespace muster {

/// A processor, a switch or a router: data can be combined, stored or forwarded there. Ranks come first: nodes
/// [0, rank_count) are ranks, the rest are switches or nodes that only route.
using NodeId = std::int32_t;

class Family;

/// What one family describes (a Mesh, a Cluster, ...): carried by everyone, opened by the family's own code. A type belongs to
/// a family by a function `const Family& family_of(const T&)` beside it.
class Network {
 public:
  Network() = default;
  // NOLINTBEGIN(google-explicit-constructor,bugprone-forwarding-reference-overload): a network is one of these
  template <class T, class = std::enable_if_t<!std::is_same_v<std::remove_cvref_t<T>, Network>>>
  Network(T&& value)
      : value_(std::forward<T>(value)), family_([](const Network& network) -> const Family& {
          return family_of(*network.as<std::remove_cvref_t<T>>());
        }) {}
  // NOLINTEND(google-explicit-constructor,bugprone-forwarding-reference-overload)
  /// Whose network it is. There must be one.
  [[nodiscard]] const Family& family() const { return family_(*this); }
  /// The network if it is a T, else nullptr.
  template <class T>
  [[nodiscard]] const T* as() const {
    return value_.as<T>();
  }
  template <class T>
  [[nodiscard]] T* as() {
    return value_.as<T>();
  }

 private:
  Carried value_;
  const Family& (*family_)(const Network& network) = nullptr;
};

/// What a user asks of one family beyond the question (colors to leave free, slow links, groups of nodes): the family's own
/// struct, made by its description and carried to its algorithms and its program.
using Options = Carried;

struct Machine {
  std::string name;     ///< of the file, without .toml
  std::string summary;  ///< one line for people
  Network network;
  [[nodiscard]] const Family& family() const { return network.family(); }
};

/// The description of the machine as its family T has it; nullptr if it is of another family. For a family's own code alone.
template <class T>
const T* as(const Machine& machine) {
  return machine.network.as<T>();
}
template <class T>
T* as(Machine& machine) {
  return machine.network.as<T>();
}

/// The name of the family: what `family` says in its file.
std::string family_name(const Machine& machine);

/// The machine's shape as people write it: "512x1", "10x12", "4x4 nodes", "16x8x8".
std::string shape_text(const Machine& machine);

/// "mesh 7x3": what the numbers of nodes depend on.
std::string family_and_shape(const Machine& machine);

}  // namespace muster
