// Layout, then the program of every distinct kind of processor, then classes.
#include "backend/wafer/csl_reader/read_csl.h"

#include <algorithm>
#include <climits>
#include <set>

#include "backend/wafer/csl_reader/layout.h"
#include "backend/wafer/csl_reader/processor.h"
#include "backend/wafer/csl_reader/rebuild.h"
#include "backend/wafer/directions.h"
#include "base/index.h"
#include "base/one_line.h"
#include "machine/mesh.h"

namespace muster::wafer {

namespace {

using csl::ProcessorTrace;
using csl::TileLayout;

void check_color(int color, const Mesh& mesh, const csl::Location& location) {
  if (color >= mesh.colors) {
    csl::fail(location, "color {} is used; the machine has colors 0 to {}", color, mesh.colors - 1);
  }
  if (std::find(mesh.reserved_colors.begin(), mesh.reserved_colors.end(), color) != mesh.reserved_colors.end()) {
    csl::fail(location, "color {} is used; it belongs to the host's library", color);
  }
}

void check_route(const ColorRoute& route, int color, const Mesh& mesh, const csl::Location& location) {
  if (route.count <= 1) return;
  if (route.count > mesh.switch_positions) {
    csl::fail(location, "color {} has {} switch positions; the machine has {}", color, route.count,
              mesh.switch_positions);
  }
  if (std::find(mesh.switch_colors.begin(), mesh.switch_colors.end(), color) == mesh.switch_colors.end()) {
    csl::fail(location, "color {} has switch positions, but no switch on this machine", color);
  }
  for (std::size_t p = 1; p < route.count; ++p) {
    const Position& before = route.positions[route.ring ? p - 1 : 0];
    if (!mesh.switch_both_sides && changed_sides(before, route.positions[p]).both()) {
      csl::fail(location, "color {}: position {} changes both sides, which this machine's switches cannot", color, p);
    }
  }
}

class Reader {
 public:
  Reader(const CslSource& source, const Machine& machine) : source_(source), files_(source.files, source.limits) {
    layout_ = csl::run_layout(files_, source.layout, source.parameters, mesh_of(machine));
    program_ = std::make_unique<WaferProgram>();
    program_->machine = with_grid(machine, layout_.width, layout_.height);
  }

  std::unique_ptr<WaferProgram> run() {
    run_processors();
    check_exports();
    number_colors();
    check_pop_modes();
    csl::Rebuilder rebuilder(*program_);
    for (const ProcessorTrace& trace : traces_) operations_.push_back(rebuilder.operations(trace, color_index_));
    set_repetitions();
    rebuilder.settle_operator();
    make_classes();
    return std::move(program_);
  }

 private:
  static const Mesh& mesh_of(const Machine& machine) {
    if (as<Mesh>(machine) == nullptr) reject("csl: {} is not a mesh", machine.name);
    return *as<Mesh>(machine);
  }

  void run_processors() {
    const csl::ProcessorOptions options{.mesh = program_->mesh(), .names = layout_.exports, .entry = source_.entry};
    for (const csl::TileCode& code : layout_.codes) {
      traces_.push_back(csl::run_processor(files_, code.file, code.parameters, code.location, options));
    }
  }

  /// All processors that do something repeat it equally often.
  void set_repetitions() {
    const ProcessorTrace* first = nullptr;
    for (std::size_t t = 0; t < traces_.size(); ++t) {
      const ProcessorTrace& trace = traces_[t];
      if (trace.instructions.empty()) continue;
      if (first == nullptr) first = &trace;
      if (trace.steps != first->steps || trace.begins_exchanged != first->begins_exchanged) {
        csl::fail(layout_.codes[t].location, "the PE repeats its program {} times, another one {} times", trace.steps,
                  first->steps);
      }
    }
    if (first == nullptr) return;
    if (first->steps > INT_MAX) csl::fail(layout_.codes[0].location, "{} repetitions are too many", first->steps);
    program_->steps = static_cast<int>(first->steps);
    program_->begins_exchanged = first->begins_exchanged;
    auto& extent = program_->extent;  // one of the two may be left alone by a single repetition
    if (program_->exchanges()) extent[0] = extent[1] = std::max(extent[0], extent[1]);
  }

  /// A router uses up a command of every control wavelet of a color, if these carry lists, and of none, if they carry single commands.
  void check_pop_modes() const {
    std::map<int, bool> lists;
    for (const ProcessorTrace& trace : traces_) {
      for (const csl::Instruction& i : trace.instructions) {
        if (i.sends < 0 || (!i.control && i.commands == 0)) continue;
        const auto [known, added] = lists.try_emplace(i.sends, i.commands != 0);
        if (known->second != (i.commands != 0)) {
          csl::fail(i.location, "control wavelets of color {} carry lists of commands here, and single ones elsewhere",
                    i.sends);
        }
      }
    }
    for (const auto& [color, routes] : layout_.route_of) {
      const auto carries = lists.find(color);
      if (carries == lists.end()) continue;
      for (const std::int16_t route : std::set<std::int16_t>(routes.begin(), routes.end())) {
        if (route < 0 || layout_.routes[at(route)].ring == carries->second) continue;
        csl::fail(layout_.route_locations[at(route)],
                  "color {}: its control wavelets carry {}, so its routers need .pop_mode = .{{ .{} = true }}", color,
                  carries->second ? "lists of commands" : "single commands", carries->second ? "always_pop" : "no_pop");
      }
    }
  }

  /// The host asks for a name where it finds it: one that no processor has is a mistake in one of the files.
  void check_exports() const {
    for (const auto& [name, exported] : layout_.exports) {
      const bool found = std::any_of(traces_.begin(), traces_.end(), [&wanted = name](const ProcessorTrace& trace) {
        return trace.advertised.contains(wanted);
      });
      if (!found)
        csl::fail(exported.location, "no PE has a symbol '{}'; export it there, or not at all", one_line(name));
    }
  }

  void number_colors() {
    std::map<int, csl::Location> used = layout_.color_locations;
    for (const ProcessorTrace& trace : traces_) {
      for (const csl::Instruction& i : trace.instructions) {
        for (const int color : i.takes) used.try_emplace(color, i.location);
        if (i.sends >= 0) used.try_emplace(i.sends, i.location);
      }
    }
    for (const auto& [color, location] : used) {
      check_color(color, program_->mesh(), location);
      color_index_[color] = static_cast<std::int8_t>(program_->colors.size());
      program_->colors.push_back(color);
    }
    for (const auto& [color, routes] : layout_.route_of) {
      const std::set<std::int16_t> distinct(routes.begin(), routes.end());
      for (const std::int16_t route : distinct) {
        if (route < 0) continue;
        check_route(layout_.routes[at(route)], color, program_->mesh(), layout_.route_locations[at(route)]);
      }
    }
  }

  /// A class is a code and a route of each color; the machine is walked once.
  void make_classes() {
    std::map<std::vector<std::int32_t>, std::int32_t> known;
    std::vector<std::int32_t> key(1 + layout_.route_of.size());
    for (std::size_t tile = 0; tile < layout_.code_of.size(); ++tile) {
      key[0] = layout_.code_of[tile];
      std::size_t k = 1;
      for (const auto& [color, routes] : layout_.route_of) key[k++] = routes[tile];
      const auto [found, added] = known.try_emplace(key, static_cast<std::int32_t>(program_->classes.size()));
      if (added) program_->classes.push_back(make_class(key));
      program_->class_of.push_back(found->second);
    }
  }

  ProcessorClass make_class(const std::vector<std::int32_t>& key) const {
    ProcessorClass made;
    made.operations = operations_[at(key[0])];
    std::size_t k = 1;
    for (const auto& [color, routes] : layout_.route_of) {
      const std::int32_t route = key[k++];
      if (route < 0) continue;
      made.routes.push_back(layout_.routes[at(route)]);
      made.routes.back().color = color_index_.at(color);
      made.routes.back().ring &= made.routes.back().count > 1;
    }
    return made;
  }

  const CslSource& source_;
  csl::Files files_;
  TileLayout layout_;
  std::unique_ptr<WaferProgram> program_;
  std::vector<ProcessorTrace> traces_;  ///< of each code
  std::map<int, std::int8_t> color_index_;
  std::vector<std::vector<Operation>> operations_;  ///< of each code
};

}  // namespace

std::unique_ptr<WaferProgram> read_csl(const CslSource& source, const Machine& machine) {
  return Reader(source, machine).run();
}

}  // namespace muster::wafer
