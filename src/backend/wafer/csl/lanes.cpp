// From operations and their waits to rows, lists and channels.
#include "backend/wafer/csl/lanes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "backend/wafer/csl/lanes_queues.h"
#include "backend/wafer/csl/lists.h"
#include "backend/wafer/csl/routes.h"
#include "backend/wafer/csl/widths.h"
#include "base/index.h"
#include "base/saturating.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

using Kind = VectorInstruction::Kind;

constexpr std::size_t kMostChannels = 16;  // bits of a cell
constexpr int kFirstTask = 8;              // as in program.cpp
constexpr int kLastTask = 20;
constexpr std::size_t kMostEntries = 65535;

LaneKind kind_of(const VectorInstruction& i) {
  LaneKind kind{.kind = i.kind, .advances = i.advances, .control = i.control, .commands = i.commands};
  kind.subtracts = i.kind == Kind::multiply_add && i.number == -1.0F;
  if (i.left.is_stream()) kind.take = i.left.color;
  if (i.right.is_stream()) {
    kind.take = i.right.color;
    kind.takes_right = true;
  }
  if (i.to.is_stream()) kind.send = i.to.color;
  return kind;
}

/// What a lane is for: the colors that it takes and sends, and how many lanes of its PE before it have the same.
struct Role {
  std::set<int> takes, sends;
  int number = 0;
  auto operator<=>(const Role&) const = default;
};

/// Lanes that have one task. PEs number their lanes as they like; a lane of one and a lane of another PE share a task if they have the same
/// role, or roles that no PE has both of.
class SharedLanes {
 public:
  explicit SharedLanes(const WaferProgram& program) {
    std::set<Role> all;
    std::vector<std::set<Role>> of_class;
    for (const ProcessorClass& c : program.classes) {
      of_class.emplace_back();
      for (const auto& [lane, role] : roles_of(c)) of_class.back().insert(role);
      all.insert(of_class.back().begin(), of_class.back().end());
    }
    for (const Role& role : all) {
      const auto is_free = [&](std::size_t lane) {
        return std::none_of(of_class.begin(), of_class.end(), [&](const std::set<Role>& roles) {
          return roles.contains(role) && std::any_of(roles.begin(), roles.end(), [&](const Role& other) {
                   const auto known = lane_of_.find(other);
                   return known != lane_of_.end() && known->second == lane;
                 });
        });
      };
      std::size_t lane = 0;
      while (lane < count_ && !(is_free(lane) && alike(role, first_[lane]))) ++lane;
      if (lane == count_) {
        first_.push_back(role);
        ++count_;
      }
      lane_of_[role] = lane;
    }
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  /// The shared lane of each lane of a class.
  [[nodiscard]] std::map<std::int32_t, std::size_t> lanes_of(const ProcessorClass& c) const {
    std::map<std::int32_t, std::size_t> lanes;
    for (const auto& [lane, role] : roles_of(c)) lanes[lane] = lane_of_.at(role);
    return lanes;
  }

 private:
  static bool alike(const Role& a, const Role& b) {
    return a.takes.empty() == b.takes.empty() && a.sends.empty() == b.sends.empty();
  }

  static std::map<std::int32_t, Role> roles_of(const ProcessorClass& c) {
    std::map<std::int32_t, Role> roles;
    for (const Operation& o : c.operations) {
      Role& role = roles[o.lane];
      for (const std::int8_t color : o.operands) {
        if (color != kOwnOperand) role.takes.insert(color);
      }
      for (const Output& output : o.outputs) role.sends.insert(output.color);
    }
    std::map<Role, int> met;
    for (auto& [lane, role] : roles) role.number = met[role]++;
    return roles;
  }

  std::map<Role, std::size_t> lane_of_;
  std::vector<Role> first_;  ///< of each shared lane
  std::size_t count_ = 0;
};

class Writer {
 public:
  Writer(CslProgram& csl, CslLanes& lanes) : lanes_(lanes), program_(*csl.wafer), shared_(program_) {
    lanes_.lanes.resize(shared_.count());
    lanes_.kinds.emplace_back();
    lanes_.rows.emplace_back();
  }

  /// The lists of one more class, or what it does that CSL cannot say.
  std::optional<std::string> add(const ProcessorClass& processor) {
    const OperationClock clock(processor);
    const std::map<std::int32_t, std::size_t> lane_of = shared_.lanes_of(processor);
    std::vector<std::vector<LaneRow>> rows(shared_.count());
    struct Place {
      std::size_t lane = 0, first = 0, last = 0;
      bool empty = true;
    };
    std::vector<Place> places;
    for (const Operation& operation : processor.operations) {
      auto instructions = vector_instructions(program_, operation);
      if (!instructions) return instructions.reason();
      Place place{.lane = lane_of.at(operation.lane), .empty = instructions.value().empty()};
      std::vector<LaneRow>& lane = rows[place.lane];
      place.first = lane.size();
      for (std::int32_t t = 0; t < operation.times; ++t) {
        for (const VectorInstruction& i : instructions.value()) {
          auto row = row_of(i);
          if (!row) return row.reason();
          lane.push_back(row.value());
        }
      }
      place.last = lane.size() - (place.empty ? 0 : 1);
      places.push_back(place);
    }
    for (std::size_t o = 0; o < places.size(); ++o) {
      for (const std::int32_t w : clock.waits(o)) {
        const Place& earlier = places[at(w)];
        const Place& later = places[o];
        if (earlier.empty || later.empty) return "waits for, or with, an operation without elements";
        const std::int32_t channel = intern(lanes_.channels, LaneChannel{static_cast<std::int32_t>(earlier.lane),
                                                                         static_cast<std::int32_t>(later.lane)});
        if (lanes_.channels.size() > kMostChannels) return "has lanes that wait for too many others";
        rows[later.lane][later.first].waits |= 1U << static_cast<unsigned>(channel);
        rows[earlier.lane][earlier.last].tells |= 1U << static_cast<unsigned>(channel);
      }
    }
    for (std::size_t lane = 0; lane < rows.size(); ++lane) add_list(lanes_.lanes[lane], rows[lane]);
    return std::nullopt;
  }

 private:
  Outcome<LaneRow> row_of(const VectorInstruction& i) {
    LaneRow row{.kind = intern(lanes_.kinds, kind_of(i)), .length = i.length};
    const auto place = [](const VectorEnd& end) {
      return end.is_stream() ? LanePlace{} : LanePlace{.buffer = end.memory.buffer, .first = end.memory.words.first};
    };
    row.to = place(i.to);
    row.left = place(i.left);
    row.right = place(i.right);
    for (const LanePlace* p : {&row.to, &row.left, &row.right}) {
      if (p->first + i.length <= kMostNumber) continue;
      return Refusal{fmt::format("works on elements up to {}; descriptors count to {}; use shorter columns",
                                 p->first + i.length, kMostNumber)};
    }
    const bool has_number = i.kind == Kind::multiply || (i.kind == Kind::multiply_add && i.number != -1.0F);
    if (has_number) row.number = number_of(i.number);
    return row;
  }

  std::int32_t number_of(float value) {
    const std::string text = literal(value);
    const auto known = std::find(lanes_.coefficients.begin(), lanes_.coefficients.end(), text);
    if (known != lanes_.coefficients.end()) return static_cast<std::int32_t>(known - lanes_.coefficients.begin());
    std::string names;
    for (const Coefficient& c : program_.coefficients) {
      if (!c.is_array() && literal(c.value) == text) names += (names.empty() ? "" : ", ") + c.name;
    }
    lanes_.coefficients.push_back(text);
    lanes_.coefficient_names.push_back(names);
    return static_cast<std::int32_t>(lanes_.coefficients.size()) - 1;
  }

  /// Nine digits tell every f32 from every other.
  static std::string literal(float value) {
    std::string text = fmt::format("{:.9g}", value);
    const auto exponent = text.find('e');
    if (text.find('.') == std::string::npos) text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
    return text;
  }

  void add_list(CslLane& lane, const std::vector<LaneRow>& rows) {
    std::vector<std::int32_t> list;
    for (const LaneRow& row : with_turns(rows)) {
      list.push_back(intern(lanes_.rows, row));
      if (std::find(lane.kinds.begin(), lane.kinds.end(), row.kind) == lane.kinds.end()) lane.kinds.push_back(row.kind);
    }
    lane.slots = std::max(lane.slots, list.size() + 1);
    lane.list_of.of_class.push_back(intern(lane.lists, list));
  }

  CslLanes& lanes_;
  const WaferProgram& program_;
  SharedLanes shared_;
};

std::vector<bool> popping_colors(const WaferProgram& program) {
  std::vector<bool> pops(program.colors.size(), false);
  for (const ProcessorClass& c : program.classes) {
    for (const Operation& o : c.operations) {
      for (const Output& output : o.outputs) {
        if (output.ending == Ending::commands) pops[at(output.color)] = true;
      }
    }
  }
  return pops;
}

std::optional<std::string> whole_problem(const WaferProgram& program) {
  if (program.arithmetic.type != ElementType::f32 || program.arithmetic.op != Operator::sum) {
    return fmt::format("csl: lanes and coefficients are written for sums of f32, not for the {} of {}",
                       operator_name(program.arithmetic.op), type_name(program.arithmetic.type));
  }
  if (program.has_pages()) return std::string("csl: sources and receivers are not written; leave them out");
  for (const Coefficient& c : program.coefficients) {
    if (c.first != 0) {
      return fmt::format("csl: the array {} does not begin at its element 0; several arrays are not written", c.name);
    }
    if (!c.is_array() && !std::isfinite(c.value)) return fmt::format("csl: the coefficient {} is not finite", c.name);
  }
  if (program.contracts.size() != 1) {
    return fmt::format("csl: the program has {} contracts; one is supported", program.contracts.size());
  }
  const Contract& contract = program.contracts.front();
  if (contract.ranks.size() != program.class_of.size() ||
      !std::is_sorted(contract.ranks.begin(), contract.ranks.end())) {
    return std::string("csl: not all PEs participate, row by row, as the host script requires");
  }
  if (program.exchanges() && program.begins_exchanged != (program.steps % 2 == 0)) {
    return std::string(
        "csl: the last repetition would leave its result where the first one had its input; change their number by "
        "one");
  }
  return std::nullopt;
}

void number_lanes(CslProgram& csl, CslLanes& lanes) {
  int task = kFirstTask - 1;
  std::size_t first = 0;
  for (CslLane& lane : lanes.lanes) {
    task = next_task(csl, task);
    lane.task = task;
    lane.first = first;
    first += lane.slots;
  }
}

std::optional<std::string> collect_buffers(CslProgram& csl, const CslLanes& lanes) {
  std::set<Buffer> used{Buffer::input, Buffer::output};
  for (const LaneRow& row : lanes.rows) used.insert({row.to.buffer, row.left.buffer, row.right.buffer});
  used.erase(Buffer::none);
  std::int64_t bytes = 0;
  for (const Buffer buffer : used) {
    const std::int64_t words = csl.wafer->extent[at(static_cast<int>(buffer)) - 1];
    if (words == 0) continue;
    csl.buffers.push_back({buffer, words});
    bytes = saturating_sum(bytes, saturating_product(words, 4));
  }
  csl.elements = csl.wafer->contracts.front().count;
  const Bytes memory = csl.wafer->mesh().memory;
  const auto rows = static_cast<std::int64_t>(lanes.slots() * std::size_t{kLaneFields} * sizeof(std::uint16_t));
  if (saturating_sum(bytes, rows) <= memory.value()) return std::nullopt;
  return fmt::format("csl: the vectors of a PE take {} and its operations {}, of its {}; use shorter columns",
                     to_text(Bytes(bytes)), to_text(Bytes(rows)), to_text(memory));
}

std::optional<std::string> table_problem(const CslLanes& lanes) {
  const auto too_many = [](std::string_view what, std::size_t count) -> std::optional<std::string> {
    if (count <= kMostEntries) return std::nullopt;
    return fmt::format("csl: the program has {} {}; at most {} are counted", count, what, kMostEntries);
  };
  if (auto problem = too_many("numbers in its table of operations", lanes.rows.size() * kLaneFields)) return problem;
  if (auto problem = too_many("numbers in a PE's rows", lanes.slots() * kLaneFields)) return problem;
  if (!lanes.lanes.empty() && lanes.lanes.back().task > kLastTask) {
    return fmt::format("csl: {} lanes need a task id each, and 8 to 20 hold no more that are not colors",
                       lanes.lanes.size());
  }
  return std::nullopt;
}

std::optional<std::string> add_classes(CslProgram& csl, CslLanes& lanes) {
  const WaferProgram& program = *csl.wafer;
  csl.routes.emplace_back();
  csl.route_of.resize(program.colors.size());
  Writer writer(csl, lanes);
  for (std::size_t c = 0; c < program.classes.size(); ++c) {
    auto problem = add_routes(csl, program.classes[c], lanes.pops);
    if (!problem) problem = writer.add(program.classes[c]);
    if (problem) return fmt::format("csl: {} {}", example_of(program, c), *problem);
  }
  return std::nullopt;
}

}  // namespace

bool needs_lanes(const WaferProgram& program) {
  const bool is_stencil = !program.contracts.empty() && program.contracts.front().collective == Collective::stencil;
  return is_stencil || !beyond_combining(program).empty();
}

Outcome<CslProgram> to_csl_lanes(const WaferProgram& program) {
  CslProgram csl;
  csl.wafer = std::make_shared<const WaferProgram>(program);
  csl.type = type_name(program.arithmetic.type);
  csl.operations.emplace_back();
  auto lanes = std::make_shared<CslLanes>();
  lanes->repeats = program.exchanges();
  lanes->pops = popping_colors(program);
  if (const auto problem = whole_problem(program)) return Refusal{*problem};
  if (const auto problem = add_classes(csl, *lanes)) return Refusal{*problem};
  if (const auto problem = assign_lane_queues(csl, *lanes)) return Refusal{*problem};
  number_lanes(csl, *lanes);
  if (const auto problem = collect_buffers(csl, *lanes)) return Refusal{*problem};
  if (const auto problem = table_problem(*lanes)) return Refusal{*problem};
  for (CslLane& lane : lanes->lanes) compress(lane.list_of, program);
  for (CslSequence& sequence : csl.route_of) compress(sequence, program);
  csl.lanes = std::move(lanes);
  return csl;
}

}  // namespace muster::wafer
