// Machines, found by name as the program finds them: in the folders of MUSTER_PATH, then in the data that was installed with
// the library, or in the source tree that it was built from.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#ifndef MUSTER_DATA_FOLDER
#define MUSTER_DATA_FOLDER ""  // the package of find_package(muster) sets it
#endif

namespace muster::library {

/// Values that replace those of a machine file, by key: {{"ramp.latency", "7 cycles"}, {"dimension.1.size", "16"}}.
using Overrides = std::map<std::string, std::string>;

/// A machine with the shape in use. Copies are cheap: they share their immutable state.
class Machine {
 public:
  struct State;
  explicit Machine(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  [[nodiscard]] std::string name() const;     ///< "wse2"
  [[nodiscard]] std::string family() const;   ///< "mesh", "torus", "hyperx" or "cluster"
  [[nodiscard]] std::string summary() const;  ///< one line for people
  [[nodiscard]] std::string shape() const;    ///< "512x1", "4x4 nodes", "16x64"
  [[nodiscard]] std::int64_t ranks() const;

  /// The same machine with this many columns and rows of PEs (mesh).
  [[nodiscard]] Machine with_grid(std::int32_t width, std::int32_t height) const;
  /// The same machine with this many nodes, in the most even shape (hyperx).
  [[nodiscard]] Machine with_nodes(std::int64_t nodes) const;
  /// The same machine with this many nodes in each dimension (hyperx).
  [[nodiscard]] Machine with_shape(const std::vector<std::int32_t>& shape) const;

  [[nodiscard]] const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

/// `data` is the folder that contains machines/; if it does not exist, that of the source tree is used.
Machine load_machine_from(const std::string& data, const std::string& name_or_file, const Overrides& overrides);
std::vector<std::string> machine_names_in(const std::string& data);

/// The machine of that name, or of a file that ends in .toml.
inline Machine load_machine(const std::string& name_or_file, const Overrides& overrides = {}) {
  return load_machine_from(MUSTER_DATA_FOLDER, name_or_file, overrides);
}

/// The names of all machines found, sorted.
inline std::vector<std::string> machine_names() { return machine_names_in(MUSTER_DATA_FOLDER); }

}  // namespace muster::library
