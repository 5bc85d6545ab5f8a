// Contracts that make sense: ranks that exist, roots among them, vectors that fit the buffers, one buffer for a node's results.
#include <algorithm>
#include <utility>

#include "machine/routing.h"
#include "schedule/verifier/time_steps.h"
#include "schedule/verifier/verify_stages.h"

namespace muster::verifier {
namespace {

class ContractCheck {
 public:
  ContractCheck(const Subject& subject, std::size_t number)
      : subject_(subject), contract_(subject.schedule.contracts[number]), number_(number) {}

  Finding run(std::vector<std::int32_t>& stamp) const {
    if (static_cast<int>(contract_.collective) >= kCollectives) return wrong("has no known collective");
    if (contract_.ranks.empty()) return wrong("has no ranks");
    if (Finding bad = ranks(stamp)) return bad;
    if (contract_.count < 1) return wrong(fmt::format("has {} elements; it needs at least one", contract_.count));
    const auto size = static_cast<std::int64_t>(contract_.ranks.size());
    if (has_root(contract_.collective) && (contract_.root < 0 || contract_.root >= size)) {
      return wrong(fmt::format("has root {} of {} ranks", contract_.root, size));
    }
    if (const auto problem = shape_problem(contract_)) return wrong(*problem);
    if (contract_.collective == Collective::stencil) {
      if (Finding bad = names()) return bad;
      const bool is_one = has_arrays(contract_) || !contract_.sources.empty() || !contract_.receivers.empty();
      const std::int64_t most = is_one ? 1 : kMostTimeSteps;
      if (subject_.schedule.is_flat() && contract_.steps > most) {
        return wrong(
            fmt::format("is {} time steps, of which steps of nodes are proven up to {}; write a time step as a phase",
                        contract_.steps, most));
      }
    }
    if (contract_.collective == Collective::all_to_all && contract_.count % size != 0) {
      return wrong(fmt::format("has {} elements, not a multiple of its {} ranks", contract_.count, size));
    }
    if (contract_.collective == Collective::neighbours && (contract_.columns < 1 || size % contract_.columns != 0)) {
      return wrong(fmt::format("has {} columns for {} ranks", contract_.columns, size));
    }
    if (contract_.collective == Collective::scan && (subject_.is_part || !subject_.schedule.is_flat())) {
      return wrong("is a scan, which phases do not support; write its steps");
    }
    return buffers();
  }

 private:
  /// A stencil names coefficients and arrays of the schedule, or of the parts of its phases.
  [[nodiscard]] Finding names() const {
    if (!subject_.schedule.is_flat()) return std::nullopt;  // the parts' contracts are the same
    const std::vector<Coefficient>& all = subject_.schedule.coefficients;
    for (std::size_t i = 0; i < contract_.terms.size(); ++i) {
      for (const bool array : {false, true}) {
        const std::string& name = array ? contract_.terms[i].array : contract_.terms[i].coefficient;
        const auto is_it = [&](const Coefficient& c) { return c.name == name && c.is_array() == array; };
        if (name.empty() || std::any_of(all.begin(), all.end(), is_it)) continue;
        return wrong(fmt::format("has term {} with {} '{}', which the schedule does not have", i,
                                 array ? "array" : "coefficient", name));
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Finding wrong(const std::string& what) const {
    return found(Kind::malformed, {}, "contract {} {}", number_, what);
  }

  Finding ranks(std::vector<std::int32_t>& stamp) const {
    const auto mark = static_cast<std::int32_t>(number_) + 1;
    for (const NodeId node : contract_.ranks) {
      if (node < 0 || node >= subject_.schedule.node_count) {
        return wrong(fmt::format("has rank at node {} of {}", node, subject_.schedule.node_count));
      }
      if (!subject_.is_part && node >= rank_count(subject_.machine)) {
        return wrong(fmt::format("has a rank at {}, which holds no vector", subject_.node(node)));
      }
      if (stamp[at(node)] == mark) return wrong(fmt::format("names {} twice", subject_.node(node)));
      stamp[at(node)] = mark;
    }
    return std::nullopt;
  }

  [[nodiscard]] Finding buffers() const {
    for (const Buffer buffer : {contract_.from, contract_.to}) {
      if (buffer == Buffer::none || buffer > Buffer::scratch) return wrong("has no buffer that can hold its vectors");
    }
    const std::int64_t from = subject_.schedule.extent_of(contract_.from);
    const std::int64_t to = subject_.schedule.extent_of(contract_.to);
    const bool slots = contract_.collective == Collective::neighbours;
    const auto copies = slots ? static_cast<std::int64_t>(contract_.neighbours.size()) : 1;
    if (contract_.collective == Collective::stencil) return stencil_buffers();
    if (contract_.count > from) {
      return wrong(
          fmt::format("holds {} elements in {}, which has {}", contract_.count, buffer_name(contract_.from), from));
    }
    if (copies > 0 && contract_.count > to / copies) {
      return wrong(fmt::format("needs {} x {} elements in {}, which has {}", copies, contract_.count,
                               buffer_name(contract_.to), to));
    }
    return std::nullopt;
  }

  [[nodiscard]] Finding stencil_buffers() const {
    for (const Buffer buffer : {contract_.from, contract_.to}) {
      if (vector_end(contract_) <= subject_.schedule.extent_of(buffer)) continue;
      return wrong(fmt::format("needs {} elements in {}, which has {}", vector_end(contract_), buffer_name(buffer),
                               subject_.schedule.extent_of(buffer)));
    }
    if (Finding bad = pages(contract_.sources, Buffer::series)) return bad;
    if (Finding bad = pages(contract_.receivers, Buffer::record)) return bad;
    return arrays();
  }

  /// What sources and receivers name is inside a page.
  [[nodiscard]] Finding pages(const std::vector<StencilPoints>& points, Buffer buffer) const {
    for (const StencilPoints& p : points) {
      const std::int64_t end = p.first + p.elements.count;
      if (end <= subject_.schedule.extent_of(buffer)) continue;
      return wrong(fmt::format("needs {} elements in {}, which has {}", end, buffer_name(buffer),
                               subject_.schedule.extent_of(buffer)));
    }
    return std::nullopt;
  }

  /// What terms multiply with is inside the model. Of phases, the parts say where their arrays are.
  [[nodiscard]] Finding arrays() const {
    if (!subject_.schedule.is_flat()) return std::nullopt;
    const std::int64_t extent = subject_.schedule.extent_of(Buffer::model);
    for (const StencilTerm& term : contract_.terms) {
      for (const Coefficient& c : subject_.schedule.coefficients) {
        if (term.array.empty() || c.name != term.array) continue;
        const std::int64_t first = c.first + contract_.margin;
        if (first >= 0 && first + contract_.count <= extent) continue;
        return wrong(fmt::format("has array '{}' in elements [{},{}) of model, which has {}", c.name, first,
                                 first + contract_.count, extent));
      }
    }
    return std::nullopt;
  }

  const Subject& subject_;
  const Contract& contract_;
  std::size_t number_;
};

/// What a node owes lies in one buffer, whatever the number of its contracts: its result (interpret.h).
Finding one_result_per_node(const Subject& subject) {
  const std::vector<Contract>& contracts = subject.schedule.contracts;
  if (contracts.size() == 1) return std::nullopt;
  std::vector<std::int32_t> first(at(subject.schedule.node_count), -1);
  for (std::size_t i = 0; i < contracts.size(); ++i) {
    for (const NodeId node : contracts[i].ranks) {
      std::int32_t& earlier = first[at(node)];
      if (earlier < 0) earlier = static_cast<std::int32_t>(i);
      const Buffer result = contracts[at(earlier)].to;
      if (result == contracts[i].to) continue;
      return found(Kind::malformed, {.node = node},
                   "contract {} ends in {} of {}, contract {} in {}; a node's contracts end in one buffer", earlier,
                   buffer_name(result), subject.node(node), i, buffer_name(contracts[i].to));
    }
  }
  return std::nullopt;
}

/// The order of ranks is that of one scan.
Finding scans_alone(const Subject& subject) {
  const std::vector<Contract>& contracts = subject.schedule.contracts;
  const auto is_scan = [](const Contract& contract) { return contract.collective == Collective::scan; };
  if (std::none_of(contracts.begin(), contracts.end(), is_scan)) return std::nullopt;
  std::vector<bool> taken(at(subject.schedule.node_count));
  for (std::size_t i = 0; i < contracts.size(); ++i) {
    if (!is_scan(contracts[i])) return found(Kind::malformed, {}, "contract {} is not a scan, but others are", i);
    for (const NodeId node : contracts[i].ranks) {
      if (taken[at(node)]) {
        return found(Kind::malformed, {.node = node}, "contract {} is the second scan of {}; a node takes part in one",
                     i, subject.node(node));
      }
      taken[at(node)] = true;
    }
  }
  return std::nullopt;
}

/// A rank of a stencil is in no other contract, and factors do not go with what has no sums of products.
Finding stencils_alone(const Subject& subject) {
  const Schedule& schedule = subject.schedule;
  const auto is = [](const Contract& contract, Collective collective) { return contract.collective == collective; };
  const bool any = std::any_of(schedule.contracts.begin(), schedule.contracts.end(),
                               [&](const Contract& contract) { return is(contract, Collective::stencil); });
  if (!any && schedule.factors.empty()) return std::nullopt;
  std::vector<std::int32_t> contract_of(at(schedule.node_count), -1);
  for (std::size_t i = 0; i < schedule.contracts.size(); ++i) {
    const Contract& contract = schedule.contracts[i];
    if (is(contract, Collective::scan) || is(contract, Collective::barrier)) {
      return found(Kind::malformed, {},
                   "contract {} is a {}, which a schedule with coefficients or a stencil cannot have", i,
                   collective_name(contract.collective));
    }
    for (const NodeId node : contract.ranks) {
      const std::int32_t other = std::exchange(contract_of[at(node)], static_cast<std::int32_t>(i));
      if (!any || other < 0) continue;
      return found(Kind::malformed, {.node = node}, "{} is in contracts {} and {}; beside a stencil, a node is in one",
                   subject.node(node), other, i);
    }
  }
  return std::nullopt;
}

/// Pages come and go with time steps.
Finding pages_of_stencils(const Subject& subject) {
  const Schedule& schedule = subject.schedule;
  const auto is_stencil = [](const Contract& contract) { return contract.collective == Collective::stencil; };
  if (std::all_of(schedule.contracts.begin(), schedule.contracts.end(), is_stencil)) return std::nullopt;
  for (const Buffer buffer : {Buffer::series, Buffer::record}) {
    if (schedule.extent_of(buffer) == 0) continue;
    return found(Kind::malformed, {}, "{} has {} elements, but only stencils have sources and receivers; use none",
                 buffer_name(buffer), schedule.extent_of(buffer));
  }
  return std::nullopt;
}

}  // namespace

Finding check_contracts(const Subject& subject) {
  if (subject.schedule.contracts.empty()) return found(Kind::malformed, {}, "the schedule has no contract to verify");
  std::vector<std::int32_t> stamp(at(subject.schedule.node_count));
  for (std::size_t i = 0; i < subject.schedule.contracts.size(); ++i) {
    if (Finding wrong = ContractCheck(subject, i).run(stamp)) return wrong;
  }
  if (Finding wrong = scans_alone(subject)) return wrong;
  if (Finding wrong = stencils_alone(subject)) return wrong;
  if (Finding wrong = pages_of_stencils(subject)) return wrong;
  return one_result_per_node(subject);
}

}  // namespace muster::verifier
