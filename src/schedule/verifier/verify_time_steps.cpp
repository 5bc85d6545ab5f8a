// Phases that are time steps, over and over. Each part is proven once, as a time step; here it is shown that the phases, so often as
// they run, are so many time steps.
//
// By induction over the steps. Claim: after k phases, the buffer that phase k - 1 stored into holds u(n+k) and the other one u(n+k-1),
// both with margins of zeros. It holds for k = 0, as the contract says. A phase that finds u(n+k) in its input and u(n+k-1) in its output
// leaves, by its part's contract, u(n+k+1) in its output, zeros in the margins there, and its input as it was. So the claim holds for
// k + 1, and the next phase must have the buffers exchanged. That is checked for every pair of neighbouring phases, and for
// the last and the first one if they are repeated.
//
// Sources and receivers. Every phase has a page of `series` of its own, which its part holds, so u(n+k+1) has what page k says. And it stores
// in a page of `record` what its part owes there; of the phases that share a page, the last one's stays, since they run one after another.
//
// No phase overtakes another. A node begins a phase when it has finished the one before, which is checked: so phases of one node
// do not race. A neighbour may still be in an earlier phase, but every phase has streams of its own, so none takes what belongs to
// another. And no wait cycle is possible: a part has none, and what a phase waits for beyond its part lies in earlier phases.
#include <algorithm>
#include <set>
#include <utility>

#include "schedule/verifier/phase_stages.h"

namespace muster::verifier {
namespace {

class TimeStepCheck {
 public:
  explicit TimeStepCheck(const Subject& subject)
      : schedule_(subject.schedule), contract_(subject.schedule.contracts.front()) {}

  Finding run() {
    if (schedule_.contracts.size() != 1) {
      return found(Kind::malformed, {}, "the schedule has {} contracts; beside time steps there is no other",
                   schedule_.contracts.size());
    }
    for (phase_ = 0; phase_ < schedule_.phases.size(); ++phase_) {
      if (Finding bad = part()) return bad;
      if (Finding bad = group()) return bad;
      if (Finding bad = buffers()) return bad;
    }
    if (Finding bad = turns()) return bad;
    return coefficients();
  }

 private:
  [[nodiscard]] const Phase& phase() const { return schedule_.phases[phase_]; }

  template <class... Args>
  Finding wrong(fmt::format_string<Args...> format, Args&&... args) const {
    return found(Kind::malformed, {}, "phase {}: {}", phase_, fmt::format(format, std::forward<Args>(args)...));
  }

  /// The terms in an order of their own, those of u(n) in `input`.
  static std::vector<StencilTerm> terms_of(const Contract& contract) {
    std::vector<StencilTerm> terms = contract.terms;
    for (StencilTerm& term : terms) term.buffer = term.buffer == contract.from ? Buffer::input : Buffer::output;
    std::sort(terms.begin(), terms.end());
    return terms;
  }

  /// The part is the contract's time step.
  [[nodiscard]] Finding part() const {
    const Contract& step = schedule_.parts[at(phase().part)].contracts.front();
    if (step.collective != Collective::stencil) {
      return wrong("part {} is no time step, but the schedule's contract is a stencil", phase().part);
    }
    if (step.steps != 1) return wrong("part {} is {} time steps; a part is one", phase().part, step.steps);
    if (step.count != contract_.count || step.margin != contract_.margin || step.columns != contract_.columns) {
      return wrong("part {} has {} elements, margins of {} and {} columns, the contract {}, {} and {}", phase().part,
                   step.count, step.margin, step.columns, contract_.count, contract_.margin, contract_.columns);
    }
    if (terms_of(step) != terms_of(contract_)) {
      return wrong("part {} has other terms than the schedule's contract", phase().part);
    }
    if (step.sources != contract_.sources || step.receivers != contract_.receivers) {
      return wrong("part {} has other sources or receivers than the schedule's contract", phase().part);
    }
    return extents(schedule_.parts[at(phase().part)]);
  }

  /// Arrays and pages of a part are where the schedule has them.
  [[nodiscard]] Finding extents(const Schedule& part) const {
    for (const Buffer buffer : {Buffer::model, Buffer::series, Buffer::record}) {
      if (part.extent_of(buffer) <= schedule_.extent_of(buffer)) continue;
      return wrong("part {} has {} elements of {}, the schedule {}", phase().part, part.extent_of(buffer),
                   buffer_name(buffer), schedule_.extent_of(buffer));
    }
    return std::nullopt;
  }

  /// One group, of all ranks in their order, on the whole vectors.
  [[nodiscard]] Finding group() const {
    const std::vector<Group>& groups = groups_of(schedule_, phase());
    if (groups.size() != 1) return wrong("has {} groups; a time step has one, of all ranks", groups.size());
    const std::vector<NodeId>& ranks = schedule_.parts[at(phase().part)].contracts.front().ranks;
    const auto is_same = [&](NodeId of_part, NodeId rank) { return groups.front().members[at(of_part)] == rank; };
    if (!std::equal(ranks.begin(), ranks.end(), contract_.ranks.begin(), contract_.ranks.end(), is_same)) {
      return wrong("its group is not the contract's ranks in their order");
    }
    const std::vector<Range> on = elements_of(schedule_, phase(), groups.front());
    if (on != std::vector{Range{0, vector_end(contract_)}}) {
      return wrong("works on elements {}, the contract on [0,{})", ranges_text(on), vector_end(contract_));
    }
    return std::nullopt;
  }

  /// After the phase before it, and with the buffers exchanged.
  [[nodiscard]] Finding buffers() const {
    if (phase_ == 0) return std::nullopt;
    const std::size_t before = phase_ - 1;
    if (std::find(phase().after.begin(), phase().after.end(), static_cast<std::int32_t>(before)) ==
        phase().after.end()) {
      return wrong("does not come after phase {}, the time step before it", before);
    }
    return exchanged(before, phase_);
  }

  [[nodiscard]] Finding exchanged(std::size_t before, std::size_t next) const {
    const Phase& a = schedule_.phases[before];
    const Phase& b = schedule_.phases[next];
    if (a.output == b.input && a.input == b.output) return std::nullopt;
    return wrong("goes from {} to {}, after phase {} went from {} to {}; time steps exchange their buffers",
                 buffer_name(b.input), buffer_name(b.output), before, buffer_name(a.input), buffer_name(a.output));
  }

  /// What all of them together are.
  Finding turns() {
    const auto phases = static_cast<std::int64_t>(schedule_.phases.size());
    const Phase& last = schedule_.phases.back();
    if (last.input != contract_.from || last.output != contract_.to) {
      return found(Kind::malformed, {}, "the last time step goes from {} to {}, the contract from {} to {}",
                   buffer_name(last.input), buffer_name(last.output), buffer_name(contract_.from),
                   buffer_name(contract_.to));
    }
    phase_ = 0;
    if (schedule_.repeat > 1) {
      if (Finding bad = exchanged(schedule_.phases.size() - 1, 0)) return bad;
    }
    if (schedule_.repeat > kMostElements / phases || contract_.steps != phases * schedule_.repeat) {
      return found(Kind::malformed, {}, "the contract is {} time steps, but {} phases run {} times", contract_.steps,
                   phases, schedule_.repeat);
    }
    return std::nullopt;
  }

  /// A name means the same in all parts: contracts know coefficients by their names.
  [[nodiscard]] Finding coefficients() const {
    std::vector<Coefficient> all = schedule_.coefficients;
    std::set<std::int32_t> parts;
    for (const Phase& phase : schedule_.phases) parts.insert(phase.part);
    for (const std::int32_t part : parts) {
      const std::vector<Coefficient>& more = schedule_.parts[at(part)].coefficients;
      all.insert(all.end(), more.begin(), more.end());
    }
    std::sort(all.begin(), all.end(), [](const Coefficient& a, const Coefficient& b) { return a.name < b.name; });
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i - 1].name != all[i].name || all[i - 1] == all[i]) continue;
      return found(Kind::malformed, {}, "coefficient '{}' has two values, in different parts", all[i].name);
    }
    return std::nullopt;
  }

  const Schedule& schedule_;
  const Contract& contract_;
  std::size_t phase_ = 0;
};

}  // namespace

Finding check_time_steps(const Subject& subject) { return TimeStepCheck(subject).run(); }

}  // namespace muster::verifier
