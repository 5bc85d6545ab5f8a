// A correct time step of the wave equation on a grid of ranks, written in the straightforward way: every rank multicasts its
// vector in four directions, multiplies what it takes into scratch, and sums in one lane. And the triple loop that it must equal.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>

#include "base/index.h"
#include "schedule/arithmetic.h"
#include "schedule/builder.h"
#include "schedule/holdings.h"
#include "schedule/verifier/examples_test_support.h"

namespace muster::examples {

struct Wave {
  std::int32_t width = 1;
  std::int32_t height = 1;
  std::int32_t radius = 1;
  std::int64_t count = 1;     ///< cells of a rank, along z
  bool has_velocity = false;  ///< an array in model: everything but u(n-1) is multiplied with it

  [[nodiscard]] NodeId nodes() const { return width * height; }
  [[nodiscard]] std::int64_t end() const { return count + 2 * std::int64_t{radius}; }
};

/// Symbols with values that make rounding show.
inline float wave_value(const std::string& name) {
  if (name == "minus") return -1;
  float value = 0.3F;
  for (const char c : name) value = value * 0.71F + static_cast<float>(c % 13) * 0.017F;
  return value;
}

struct Direction {
  std::int32_t dx;
  std::int32_t dy;
};
/// Where neighbours are: west, east, north, south.
inline constexpr Direction kDirections[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

inline Contract wave_contract(const Wave& wave) {
  Contract contract{.collective = Collective::stencil,
                    .ranks = first_nodes(wave.nodes()),
                    .count = wave.count,
                    .columns = wave.width,
                    .margin = wave.radius};
  const std::string array = wave.has_velocity ? "v" : "";
  const auto add = [&](std::int32_t dx, std::int32_t dy, std::int64_t dz, const std::string& name) {
    contract.terms.push_back({Buffer::input, dx, dy, dz, name, array});
  };
  add(0, 0, 0, "c0");
  for (const Direction& d : kDirections) {
    for (std::int32_t m = 1; m <= wave.radius; ++m) add(m * d.dx, m * d.dy, 0, fmt::format("c_x{}", m));
  }
  for (std::int32_t o = -wave.radius; o <= wave.radius; ++o) {
    if (o != 0) add(0, 0, o, fmt::format("c_z{}", std::abs(o)));
  }
  contract.terms.push_back({Buffer::output, 0, 0, 0, "minus", ""});
  return contract;
}

class WaveStep {
 public:
  explicit WaveStep(const Wave& wave)
      : wave_(wave),
        b_({.nodes = wave.nodes(),
            .count = wave.end(),
            .scratch = (4 * wave.radius + 1) * wave.count,
            .model = wave.has_velocity ? wave.end() : 0}),
        core_(b_.span({wave.radius, wave.count})) {}

  Schedule write() && {
    for (const StencilTerm& term : wave_contract(wave_).terms) number(term.coefficient);
    for (std::size_t d = 0; d < 4; ++d) send(d);
    for (NodeId node = 0; node < wave_.nodes(); ++node) sum(node);
    b_.contract(wave_contract(wave_));
    return std::move(b_).finish();
  }

 private:
  [[nodiscard]] NodeId beside(NodeId node, const Direction& d, std::int32_t far) const {
    const std::int32_t x = node % wave_.width + far * d.dx;
    const std::int32_t y = node / wave_.width + far * d.dy;
    return x < 0 || x >= wave_.width || y < 0 || y >= wave_.height ? -1 : y * wave_.width + x;
  }
  std::int32_t number(const std::string& name) { return b_.coefficient({.name = name, .value = wave_value(name)}); }
  SpanId slot(std::int64_t index) { return b_.span({index * wave_.count, wave_.count}); }
  SpanId accumulator() { return slot(4 * std::int64_t{wave_.radius}); }
  [[nodiscard]] std::int32_t lane(std::size_t direction, std::int32_t far) const {
    return 4 + static_cast<std::int32_t>(direction) * wave_.radius + far - 1;
  }

  /// Everyone sends against direction d: who takes it has its source in that direction.
  void send(std::size_t d) {
    const Direction direction = kDirections[d];
    for (NodeId node = 0; node < wave_.nodes(); ++node) {
      std::vector<NodeId> sinks;
      for (std::int32_t m = 1; m <= wave_.radius; ++m) {
        if (const NodeId sink = beside(node, direction, -m); sink >= 0) sinks.push_back(sink);
      }
      if (sinks.empty()) continue;
      const StreamId stream = b_.multicast(node, sinks, core_);
      b_.step(node, core_, static_cast<std::int32_t>(d)).own(Buffer::input).push(stream);
      for (std::size_t i = 0; i < sinks.size(); ++i) {
        const auto far = static_cast<std::int32_t>(i) + 1;
        const auto step = b_.step(sinks[i], core_, lane(d, far))
                              .take(stream)
                              .times(number(fmt::format("c_x{}", far)))
                              .store(Buffer::scratch, slot(static_cast<std::int64_t>(d) * wave_.radius + far - 1));
        taken_[sinks[i]].emplace(static_cast<std::int64_t>(d) * wave_.radius + far - 1, step.id());
      }
    }
  }

  void sum(NodeId node) {
    const std::int32_t last = 4 + 4 * wave_.radius;
    auto products = b_.step(node, core_, last);
    products.term(Buffer::input, core_).times(number("c0"));
    for (const auto& [index, step] : taken_[node]) products.term(Buffer::scratch, slot(index)).after(step);
    products.store(Buffer::scratch, accumulator());

    auto along_z = b_.step(node, core_, last).term(Buffer::scratch, accumulator());
    for (std::int32_t o = -wave_.radius; o <= wave_.radius; ++o) {
      if (o == 0) continue;
      along_z.term(Buffer::input, b_.span({wave_.radius + o, wave_.count}))
          .times(number(fmt::format("c_z{}", std::abs(o))));
    }
    along_z.store(Buffer::scratch, accumulator());
    if (wave_.has_velocity) {
      b_.step(node, core_, last)
          .term(Buffer::scratch, accumulator())
          .times(b_.coefficient({.name = "v", .array = Buffer::model}))
          .store(Buffer::scratch, accumulator());
    }
    b_.step(node, core_, last)
        .term(Buffer::scratch, accumulator())
        .term(Buffer::output, core_)
        .times(number("minus"))
        .store(Buffer::output);
  }

  const Wave wave_;
  ScheduleBuilder b_;
  SpanId core_;
  std::map<NodeId, std::map<std::int64_t, StepId>> taken_;  ///< of each node: by slot
};

inline Schedule wave_step(const Wave& wave) { return WaveStep(wave).write(); }

/// Time steps as phases with one part and buffers exchanged from step to step, `phases` of them `repeat` times.
inline Schedule wave_steps(const Wave& wave, std::int32_t phases, std::int64_t repeat) {
  ScheduleBuilder b({.nodes = wave.nodes(), .count = wave.end(), .model = wave.has_velocity ? wave.end() : 0});
  const std::int32_t part = b.part(wave_step(wave));
  const std::int32_t groups = b.groups({{.members = first_nodes(wave.nodes()), .on = b.span({0, wave.end()})}});
  for (std::int32_t p = 0; p < phases; ++p) {
    Phase phase{.part = part, .groups = groups};
    if (p % 2 == 1) std::swap(phase.input, phase.output);
    if (p > 0) phase.after.push_back(p - 1);
    b.phase(std::move(phase));
  }
  Contract contract = wave_contract(wave);
  contract.steps = phases * repeat;
  if (phases % 2 == 0) {
    std::swap(contract.from, contract.to);
    for (StencilTerm& term : contract.terms)
      term.buffer = term.buffer == Buffer::input ? Buffer::output : Buffer::input;
  }
  b.contract(std::move(contract));
  Schedule schedule = std::move(b).finish();
  schedule.repeat = repeat;
  return schedule;
}

/// The same time steps as loops over all cells: of each rank, its vector with margins.
class WaveLoops {
 public:
  using Field = std::vector<std::vector<float>>;

  WaveLoops(const Wave& wave, std::uint64_t seed) : wave_(wave), now_(held(0, seed)), before_(held(1, seed)) {
    if (wave.has_velocity) velocity_ = held(2, seed);
  }

  void step() {
    for (NodeId node = 0; node < wave_.nodes(); ++node) {
      for (std::int64_t k = wave_.radius; k < wave_.radius + wave_.count; ++k) {
        before_[at(node)][at(k)] = updated(node, k) - before_[at(node)][at(k)];
      }
    }
    std::swap(now_, before_);
  }

  [[nodiscard]] const Field& now() const { return now_; }

 private:
  [[nodiscard]] Field held(std::uint64_t salt, std::uint64_t seed) const {
    Field field(at(wave_.nodes()), std::vector<float>(at(wave_.end()), 0));
    for (NodeId node = 0; node < wave_.nodes(); ++node) {
      const std::uint64_t key = Holdings::Held{.salt = salt}.input_key(node, seed);
      for (std::int64_t k = wave_.radius; k < wave_.radius + wave_.count; ++k) {
        field[at(node)][at(k)] = std::bit_cast<float>(Arithmetic{}.input_at(key, k));
      }
    }
    return field;
  }

  [[nodiscard]] float updated(NodeId node, std::int64_t k) const {
    volatile float sum = wave_value("c0") * now_[at(node)][at(k)];  // volatile: products are rounded
    for (const Direction& d : kDirections) {
      for (std::int32_t m = 1; m <= wave_.radius; ++m) {
        const std::int32_t x = node % wave_.width + m * d.dx;
        const std::int32_t y = node / wave_.width + m * d.dy;
        if (x < 0 || x >= wave_.width || y < 0 || y >= wave_.height) continue;
        volatile const float product = wave_value(fmt::format("c_x{}", m)) * now_[at(y * wave_.width + x)][at(k)];
        sum = sum + product;
      }
    }
    for (std::int32_t o = -wave_.radius; o <= wave_.radius; ++o) {
      if (o != 0) sum = std::fma(wave_value(fmt::format("c_z{}", std::abs(o))), now_[at(node)][at(k + o)], sum);
    }
    if (!velocity_.empty()) sum = velocity_[at(node)][at(k)] * sum;
    return sum;
  }

  const Wave wave_;
  Field now_;
  Field before_;
  Field velocity_;
};

}  // namespace muster::examples
