// Budgets: what a program asks of a machine, and what the machine has. Going over one names it, the PE, what was
// needed, what is there, and a remedy. The checks look at the program alone, so they hold for any, wherever it comes
// from.
#include <algorithm>
#include <bit>
#include <iterator>

#include "backend/wafer/csl/tabled.h"
#include "backend/wafer/directions.h"
#include "backend/wafer/lower/lower.h"
#include "base/index.h"
#include "base/saturating.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

// What a processor keeps in memory besides vectors, in bytes. Estimates: the vendor's compiler was not run. Long lists of
// operations are written with loops, so where they decide, the table that is written counts.
constexpr std::int64_t kCodeBytes = 4096;     // assumed: our processor program with the vendor's host library
constexpr std::int64_t kOperationBytes = 24;  // assumed: an entry of the table of operations, and how often it runs
constexpr std::int64_t kColorBytes = 32;      // assumed: descriptors for receiving and sending

// A usual program: most patterns have fewer.
constexpr std::int64_t kUsualOperations = 32;
constexpr std::int64_t kUsualColors = 8;

constexpr std::int64_t bytes_of_program(std::int64_t operations, std::int64_t colors) {
  return kCodeBytes + kOperationBytes * operations + kColorBytes * colors;
}

std::int64_t count_below(const std::vector<std::int32_t>& list, std::int32_t limit) {
  return std::count_if(list.begin(), list.end(), [&](std::int32_t value) { return value < limit; });
}

/// "0-9, 12, 13": sorted numbers.
std::string ranges_text(std::vector<std::int32_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (end > i + 2) text += "-" + std::to_string(numbers[end - 1]);
    i = end > i + 2 ? end : i + 1;
  }
  return text.empty() ? "none" : text;
}

std::string position_text(const Position& p) {
  return fmt::format("{} to {}", directions_text(p.from), directions_text(p.to));
}

/// The checks of one program; each returns what it finds first.
class BudgetCheck {
 public:
  explicit BudgetCheck(const WaferProgram& program)
      : program_(program),
        mesh_(program.mesh()),
        listed_(program.colors.size(), false),
        plain_(program.colors.size(), false) {}

  [[nodiscard]] std::optional<std::string> repetitions() const {
    if (program_.steps < 1) return fmt::format("repetitions: {} is less than 1; use 1 or more", program_.steps);
    if (program_.record_every < 1)
      return fmt::format("repetitions: {} share a page of record; use 1 or more", program_.record_every);
    if (!program_.exchanges() || program_.extent[0] == program_.extent[1]) return {};
    return fmt::format(
        "repetitions: {} exchange an input of {} words and an output of {}; make both buffers equally long",
        program_.steps, program_.extent[0], program_.extent[1]);
  }

  [[nodiscard]] std::optional<std::string> hardware_colors() const {
    for (std::size_t c = 0; c < program_.colors.size(); ++c) {
      const int color = program_.colors[c];
      if (color < 0 || color >= mesh_.colors) {
        return fmt::format("colors: {} is used, this machine routes 0 to {}; use one of these", color,
                           mesh_.colors - 1);
      }
      if (contains(mesh_.reserved_colors, color)) {
        return fmt::format("colors: {} is used, but {} belong to the host library; use another", color,
                           ranges_text(mesh_.reserved_colors));
      }
      if (std::count(program_.colors.begin(), program_.colors.end(), color) > 1) {
        return fmt::format("colors: {} is used twice; use another", color);
      }
    }
    return {};
  }

  [[nodiscard]] std::optional<std::string> of_class(std::size_t index) {
    const ProcessorClass& c = program_.classes[index];
    for (const ColorRoute& route : c.routes) {
      if (auto reason = switches(index, route)) return reason;
    }
    if (auto reason = commands(index, c)) return reason;
    if (auto reason = operands(index, c)) return reason;
    if (auto reason = queues(index, c)) return reason;
    return memory(index, c);
  }

 private:
  [[nodiscard]] std::optional<std::string> switches(std::size_t index, const ColorRoute& route) const {
    const int color = program_.colors[at(route.color)];
    if (route.count > mesh_.switch_positions) {
      return fmt::format("switch positions of color {} at {}: {} needed, {} there; spread its streams over more colors",
                         color, example_of(program_, index), route.count, mesh_.switch_positions);
    }
    if (route.count > 1 && !contains(mesh_.switch_colors, color)) {
      return fmt::format(
          "switch of color {} at {}: {} positions needed, but only colors {} have switches; use one of these", color,
          example_of(program_, index), route.count, ranges_text(mesh_.switch_colors));
    }
    if (route.ring) return ring(index, route);
    for (std::size_t p = 1; p < route.count && !mesh_.switch_both_sides; ++p) {
      if (!changed_sides(route.positions[0], route.positions[p]).both()) continue;
      return fmt::format(
          "switch of color {} at {}: position {} ({}) changes input and output of position 0 ({}), this "
          "machine changes one side; use another color for it",
          color, example_of(program_, index), p, position_text(route.positions[p]), position_text(route.positions[0]));
    }
    return {};
  }

  /// A position of a ring is set relative to the one before it, position 0 to the last one.
  [[nodiscard]] std::optional<std::string> ring(std::size_t index, const ColorRoute& route) const {
    for (std::size_t p = 0; p < route.count && !mesh_.switch_both_sides; ++p) {
      const std::size_t next = p + 1 < route.count ? p + 1 : 0;
      if (!changed_sides(route.positions[p], route.positions[next]).both()) continue;
      return fmt::format(
          "switch of color {} at {}: position {} ({}) changes input and output of position {} ({}), which it follows "
          "in the "
          "ring, this machine changes one side; put a position between them",
          program_.colors[at(route.color)], example_of(program_, index), next, position_text(route.positions[next]), p,
          position_text(route.positions[p]));
    }
    return {};
  }

  /// A router either uses up a command of every control wavelet of a color, or of none.
  [[nodiscard]] std::optional<std::string> commands(std::size_t index, const ProcessorClass& c) {
    for (const Operation& o : c.operations) {
      for (const Output& output : o.outputs) {
        if (output.controls() == 0) continue;
        const bool is_listed = output.ending == Ending::commands;
        (is_listed ? listed_ : plain_).at(at(output.color)) = 1;
        if ((is_listed ? plain_ : listed_).at(at(output.color)) == 0) continue;
        return fmt::format(
            "control wavelets of color {} at {}: some carry a list of commands and others do not; use lists for all",
            program_.colors[at(output.color)], example_of(program_, index));
      }
    }
    return {};
  }

  /// Coefficients are numbers of f32, and sums are all that they are for.
  [[nodiscard]] std::optional<std::string> operands(std::size_t index, const ProcessorClass& c) const {
    for (std::size_t i = 0; i < c.operations.size(); ++i) {
      const Operation& o = c.operations[i];
      const auto own = static_cast<std::size_t>(std::count(o.operands.begin(), o.operands.end(), kOwnOperand));
      if (own != o.more_own.size() + 1 && !(own == 0 && o.more_own.empty())) {
        return fmt::format("operation {} of {}: {} operands in memory, but {} places of them; give each its own", i,
                           example_of(program_, index), own, o.more_own.size() + 1);
      }
      if (o.coefficients.empty()) continue;
      if (program_.arithmetic.type != ElementType::f32 || program_.arithmetic.op != Operator::sum) {
        return fmt::format("operation {} of {}: coefficients need a sum of f32, but this is {} of {}", i,
                           example_of(program_, index), operator_name(program_.arithmetic.op),
                           type_name(program_.arithmetic.type));
      }
      const auto is_known = [&](std::int16_t k) {
        return k >= kNoCoefficient && k < std::ssize(program_.coefficients);
      };
      if (o.coefficients.size() != o.operands.size() ||
          !std::all_of(o.coefficients.begin(), o.coefficients.end(), is_known)) {
        return fmt::format(
            "operation {} of {}: {} coefficients for {} operands, of {} in the program; name one or none for each", i,
            example_of(program_, index), o.coefficients.size(), o.operands.size(), program_.coefficients.size());
      }
    }
    return {};
  }

  [[nodiscard]] std::optional<std::string> queues(std::size_t index, const ProcessorClass& c) const {
    std::uint64_t in = 0, out = 0;  // one bit per color
    for (const Operation& o : c.operations) {
      for (const std::int8_t color : o.operands) {
        if (color != kOwnOperand) in |= std::uint64_t{1} << color;
      }
      for (const Output& output : o.outputs) out |= std::uint64_t{1} << output.color;
    }
    if (auto reason = queues_of(index, "input", std::popcount(in), mesh_.input_queues)) return reason;
    return queues_of(index, "output", std::popcount(out), mesh_.output_queues);
  }

  [[nodiscard]] std::optional<std::string> queues_of(std::size_t index, std::string_view which, int needed,
                                                     std::int32_t there) const {
    const std::int64_t free = there - count_below(mesh_.reserved_queues, there);
    if (needed <= free) return {};
    return fmt::format(
        "{0} queues of {1}: {2} needed, one per color, {3} free of {4} ({5} belong to the host library); "
        "{6} on at most {3} colors there",
        which, example_of(program_, index), needed, free, there, ranges_text(mesh_.reserved_queues),
        which == "input" ? "receive" : "send");
  }

  [[nodiscard]] std::int64_t words_beside(std::int64_t program) const {
    return std::max<std::int64_t>(0, mesh_.memory.value() - program) / mesh_.wavelet.value();
  }

  [[nodiscard]] std::optional<std::string> memory(std::size_t index, const ProcessorClass& c) {
    const std::int64_t words = words_used(c), word = mesh_.wavelet.value();
    std::int64_t program = program_bytes(c);
    if (words <= words_beside(program)) return {};
    const std::int64_t code = bytes_of_program(0, std::ssize(c.routes));
    if (words <= words_beside(code)) {
      if (!table_) table_ = written_bytes(program_).value_or(kMostCounted);
      program = std::min(program, saturating_sum(code, *table_));
    }
    const std::int64_t fit = words_beside(program);
    if (words <= fit) return {};
    const std::int64_t vectors = saturating_product(words, word);
    return fmt::format(
        "memory of {}: {} bytes needed ({} for {} words, about {} for code and descriptors), {} there; at "
        "most {} words fit",
        example_of(program_, index), saturating_sum(vectors, program), vectors, words, program, mesh_.memory.value(),
        fit);
  }

  /// The whole extent of every buffer that a processor of the class touches; at most what can be counted.
  [[nodiscard]] std::int64_t words_used(const ProcessorClass& c) const {
    std::array<bool, 1 + kBuffers> used{};
    for (const Operation& o : c.operations) {
      for (const Buffer b : {o.own, o.store, o.sent}) used.at(static_cast<std::size_t>(b)) = true;
      for (const OwnOperand& own : o.more_own) used.at(static_cast<std::size_t>(own.buffer)) = true;
      for (const std::int16_t k : o.coefficients) {
        if (k != kNoCoefficient) used.at(static_cast<std::size_t>(program_.coefficients[at(k)].array)) = true;
      }
    }
    if (program_.exchanges()) used[1] = used[2] = used[1] || used[2];  // exchanged in every other repetition
    std::int64_t words = 0;
    for (std::size_t b = 1; b < used.size(); ++b) {
      const std::int64_t pages = program_.pages_of(static_cast<Buffer>(b));
      if (used.at(b)) words = saturating_sum(words, saturating_product(pages, program_.extent.at(b - 1)));
    }
    return words;
  }

  /// Code and descriptors of a processor: an estimate.
  [[nodiscard]] static std::int64_t program_bytes(const ProcessorClass& c) {
    return bytes_of_program(static_cast<std::int64_t>(c.operations.size()), static_cast<std::int64_t>(c.routes.size()));
  }

  const WaferProgram& program_;
  const Mesh& mesh_;
  std::vector<char> listed_;                ///< of each color: whether some control wavelet carries a list
  std::vector<char> plain_;                 ///< whether some other one does not
  std::optional<std::int64_t> table_ = {};  ///< bytes of the operations as they are written, once that was asked for
};

}  // namespace

Bytes usual_program_memory() { return Bytes(bytes_of_program(kUsualOperations, kUsualColors)); }

int usable_colors(const Mesh& mesh) {
  return mesh.colors - static_cast<int>(count_below(mesh.reserved_colors, mesh.colors));
}

std::optional<std::string> too_many_colors(int needed, const Mesh& mesh, int reserved_channels) {
  const int usable = usable_colors(mesh);
  if (needed <= usable - reserved_channels) return {};
  const std::string what = needed > usable ? fmt::format("more than {}", usable) : std::to_string(needed);
  const std::string fits = needed <= usable ? fmt::format("reserve at most {}", usable - needed)
                                            : "have fewer streams at a processor at the same time";
  return fmt::format("colors: {} needed, {} left of {} ({} reserved by the host library, {} for your program); {}",
                     what, std::max(0, usable - reserved_channels), mesh.colors, mesh.colors - usable,
                     reserved_channels, fits);
}

std::optional<std::string> over_budget(const WaferProgram& program, int reserved_channels) {
  const auto colors = static_cast<int>(program.colors.size());
  if (auto reason = too_many_colors(colors, program.mesh(), reserved_channels)) return reason;
  BudgetCheck check(program);
  if (auto reason = check.hardware_colors()) return reason;
  if (auto reason = check.repetitions()) return reason;
  for (std::size_t i = 0; i < program.classes.size(); ++i) {
    if (auto reason = check.of_class(i)) return reason;
  }
  return {};
}

}  // namespace muster::wafer
