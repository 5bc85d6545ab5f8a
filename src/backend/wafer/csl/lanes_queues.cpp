// Instructions that run side by side need a microthread each, of which a PE has eight.
//
// Without bound queues, the microthread has the number of the queue that the instruction names: of what it sends, or else of what it takes.
// So the two kinds of queues have different numbers. The host's library keeps input queues 0 and 1 to itself; an output queue
// serves any color there, and the vendor's own 25-point stencil sends on output queues 0 to 3 beside that library. With bound queues,
// an instruction names its microthread.
#include "backend/wafer/csl/lanes_queues.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {
namespace {

constexpr int kMicrothreads = 8;  // [SDK] "Microthread IDs": 0 to 7
constexpr int kNone = -1;

/// A color as one end of the fabric has it.
struct End {
  std::size_t color = 0;
  bool taken = false;
};

/// The ends that a class has.
struct Ends {
  std::vector<bool> taken, sent;
  [[nodiscard]] bool has(const End& end) const { return end.taken ? taken[end.color] : sent[end.color]; }
  [[nodiscard]] std::ptrdiff_t count() const {
    return std::count(taken.begin(), taken.end(), true) + std::count(sent.begin(), sent.end(), true);
  }
};

std::vector<Ends> ends_of(const WaferProgram& program) {
  std::vector<Ends> ends;
  const std::vector<bool> none(program.colors.size(), false);
  for (const ProcessorClass& c : program.classes) {
    Ends& of_class = ends.emplace_back(Ends{none, none});
    for (const Operation& o : c.operations) {
      for (const std::int8_t color : o.operands) {
        if (color != kOwnOperand) of_class.taken[at(color)] = true;
      }
      for (const Output& output : o.outputs) of_class.sent[at(output.color)] = true;
    }
  }
  return ends;
}

/// Gives each end the first of its choices that no other end has which some PE has, too.
class Chooser {
 public:
  explicit Chooser(const std::vector<Ends>& classes) : classes_(classes) {}

  /// False if none is free.
  bool choose(const End& end, const std::vector<int>& choices, int& chosen) {
    const bool used = std::any_of(classes_.begin(), classes_.end(), [&](const Ends& ends) { return ends.has(end); });
    if (!used) return true;
    for (const int choice : choices) {
      const bool taken = std::any_of(given_.begin(), given_.end(), [&](const auto& given) {
        return given.second == choice && std::any_of(classes_.begin(), classes_.end(), [&](const Ends& ends) {
                 return ends.has(end) && ends.has(given.first);
               });
      });
      if (taken) continue;
      given_.emplace_back(end, choice);
      chosen = choice;
      return true;
    }
    return false;
  }

 private:
  const std::vector<Ends>& classes_;
  std::vector<std::pair<End, int>> given_;
};

bool is_reserved(const Mesh& mesh, int queue) {
  const auto& reserved = mesh.reserved_queues;
  return std::find(reserved.begin(), reserved.end(), queue) != reserved.end();
}

std::vector<int> numbers_below(int count, bool descending) {
  std::vector<int> numbers(at(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  if (descending) std::reverse(numbers.begin(), numbers.end());
  return numbers;
}

void leave_out(std::vector<int>& numbers, const Mesh& mesh) {
  numbers.erase(std::remove_if(numbers.begin(), numbers.end(), [&](int n) { return is_reserved(mesh, n); }),
                numbers.end());
}

}  // namespace

std::optional<std::string> assign_lane_queues(CslProgram& csl, CslLanes& lanes) {
  const Mesh& mesh = csl.wafer->mesh();
  const std::vector<Ends> classes = ends_of(*csl.wafer);
  const std::size_t colors = csl.wafer->colors.size();
  for (auto* queues : {&csl.in_queues, &csl.out_queues, &lanes.in_threads, &lanes.out_threads}) {
    queues->assign(colors, kNone);
  }
  std::ptrdiff_t most = 0;
  for (const Ends& ends : classes) most = std::max(most, ends.count());
  lanes.threads_below_two = most > kMicrothreads - static_cast<std::ptrdiff_t>(mesh.reserved_queues.size());

  // What is sent gets the lowest ones, what is taken the highest.
  const bool bound = mesh.queues_are_bound;
  std::vector<int> to_send = numbers_below(bound ? kMicrothreads : std::min(kMicrothreads, mesh.output_queues), false);
  std::vector<int> to_take = numbers_below(bound ? kMicrothreads : std::min(kMicrothreads, mesh.input_queues), true);
  if (!lanes.threads_below_two) leave_out(to_send, mesh);
  if (!lanes.threads_below_two || !bound) leave_out(to_take, mesh);
  std::vector<int> in = numbers_below(mesh.input_queues, false);
  std::vector<int> out = numbers_below(mesh.output_queues, false);
  leave_out(in, mesh);
  leave_out(out, mesh);
  Chooser threads(classes), in_queues(classes), out_queues(classes);
  bool enough = true;
  for (std::size_t c = 0; c < colors; ++c) {
    enough = enough && threads.choose({c, false}, to_send, lanes.out_threads[c]);
    enough = enough && (!bound || out_queues.choose({c, false}, out, csl.out_queues[c]));
  }
  for (std::size_t c = 0; c < colors; ++c) {
    enough = enough && threads.choose({c, true}, to_take, lanes.in_threads[c]);
    enough = enough && (!bound || in_queues.choose({c, true}, in, csl.in_queues[c]));
  }
  if (!enough) {
    return fmt::format(
        "csl: a PE takes and sends {} colors side by side, more than there are queues and microthreads for", most);
  }
  if (!bound) {
    csl.in_queues = lanes.in_threads;
    csl.out_queues = lanes.out_threads;
  }
  return std::nullopt;
}

}  // namespace muster::wafer
