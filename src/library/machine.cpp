// Machines by name.
#include <filesystem>

#include "library/state.h"
#include "machine/family.h"
#include "machine/loader.h"
#include "machine/routing.h"

namespace muster::library {
namespace {

Machine wrapped(::muster::Machine machine) {
  return Machine(std::make_shared<const Machine::State>(Machine::State{std::move(machine)}));
}

MachinePath search_path(const std::string& data) {
  std::error_code ignored;  // a folder that cannot be read counts as missing
  const bool is_installed = std::filesystem::is_directory(data, ignored);
  return machine_path(is_installed ? data : MUSTER_SOURCE_FOLDER);
}

/// The machine in the shape that a flag of its family gives it.
::muster::Machine shaped(const ::muster::Machine& machine, const char* flag, const std::string& text) {
  const Family& family = machine.family();
  if (!family.takes(flag)) {
    reject("machine '{}' is a {}, which takes no {}", machine.name, family.name(), flag + 2);
  }
  FlagTexts flags;
  flags.add(flag, text);
  return family.shaped(machine, flags);
}

}  // namespace

Machine load_machine_from(const std::string& data, const std::string& name_or_file, const Overrides& overrides) {
  return guarded([&] {
    const FoundMachine found = find_machine(search_path(data), name_or_file);
    return wrapped(::muster::load_machine(found.file, overrides));
  });
}

std::vector<std::string> machine_names_in(const std::string& data) {
  return guarded([&] { return ::muster::machine_names(search_path(data)); });
}

std::string Machine::name() const { return state().machine.name; }
std::string Machine::family() const { return family_name(state().machine); }
std::string Machine::summary() const { return state().machine.summary; }
std::string Machine::shape() const { return shape_text(state().machine); }
std::int64_t Machine::ranks() const { return rank_count(state().machine); }

Machine Machine::with_grid(std::int32_t width, std::int32_t height) const {
  return guarded([&] { return wrapped(shaped(state().machine, "--grid", fmt::format("{}x{}", width, height))); });
}

Machine Machine::with_nodes(std::int64_t nodes) const {
  return guarded([&] { return wrapped(shaped(state().machine, "--nodes", std::to_string(nodes))); });
}

Machine Machine::with_shape(const std::vector<std::int32_t>& shape) const {
  return guarded([&] { return wrapped(shaped(state().machine, "--shape", fmt::format("{}", fmt::join(shape, "x")))); });
}

}  // namespace muster::library
