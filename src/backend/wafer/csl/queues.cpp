// A queue of its own for every color where there are enough; else colors that do not meet share one, the same for all
// processors if that can be found, else each class of processors has its own choice.
#include "backend/wafer/csl/queues.h"

#include <algorithm>

#include "backend/wafer/csl/lists.h"
#include "machine/mesh.h"

namespace muster::wafer {

namespace {

std::vector<int> free_queues(int count, const std::vector<std::int32_t>& reserved) {
  std::vector<int> queues;
  for (int q = 0; q < count; ++q) {
    if (std::find(reserved.begin(), reserved.end(), q) == reserved.end()) queues.push_back(q);
  }
  return queues;
}

/// Which colors meet at some processor: bit b of `taken[a]` if one takes both a and b, of `sent[a]` if one sends both, of
/// `beside[a]` if an exchange sends a while it takes b.
struct Meetings {
  std::vector<std::uint64_t> taken, sent, beside;

  explicit Meetings(const WaferProgram& program) : taken(program.colors.size(), 0), sent(taken), beside(taken) {
    for (const ProcessorClass& c : program.classes) {
      std::uint64_t takes = 0;
      std::uint64_t sends = 0;
      for (const Operation& o : c.operations) {
        const std::uint64_t in = operands(o);
        const std::uint64_t out = outputs(o);
        takes |= in;
        sends |= out;
        if (o.sent != Buffer::none) add(beside, out, in);
      }
      add(taken, takes, takes);
      add(sent, sends, sends);
    }
  }

 private:
  static std::uint64_t bit(std::int8_t color) { return std::uint64_t{1} << static_cast<unsigned>(color); }
  static std::uint64_t operands(const Operation& o) {
    std::uint64_t set = 0;
    for (const std::int8_t color : o.operands) set |= color == kOwnOperand ? 0 : bit(color);
    return set;
  }
  static std::uint64_t outputs(const Operation& o) {
    std::uint64_t set = 0;
    for (const Output& output : o.outputs) set |= bit(output.color);
    return set;
  }
  static void add(std::vector<std::uint64_t>& rows, std::uint64_t of, std::uint64_t with) {
    for (std::size_t c = 0; c < rows.size(); ++c) {
      if ((of >> c & 1U) != 0) rows[c] |= with;
    }
  }
};

/// Colors that no processor takes (or sends) both of share a queue. An exchange needs two different numbers: on machines
/// without bound queues its two instructions run in the microthreads of those numbers.
bool share_queues(CslProgram& csl, const std::vector<int>& in, const std::vector<int>& out) {
  const Meetings meet(*csl.wafer);
  const auto choose = [](const std::vector<int>& queues, const auto& is_taken) {
    const auto found = std::find_if_not(queues.begin(), queues.end(), is_taken);
    return found == queues.end() ? -1 : *found;
  };
  for (std::size_t color = 0; color < csl.wafer->colors.size(); ++color) {
    csl.in_queues.push_back(choose(in, [&](int q) {
      for (std::size_t other = 0; other < color; ++other) {
        if ((meet.taken[color] >> other & 1U) != 0 && csl.in_queues[other] == q) return true;
        if ((meet.beside[other] >> color & 1U) != 0 && csl.out_queues[other] == q) return true;
      }
      return false;
    }));
    csl.out_queues.push_back(choose(out, [&](int q) {
      for (std::size_t other = 0; other <= color; ++other) {
        if (other < color && (meet.sent[color] >> other & 1U) != 0 && csl.out_queues[other] == q) return true;
        if ((meet.beside[color] >> other & 1U) != 0 && csl.in_queues[other] == q) return true;
      }
      return false;
    }));
    if (csl.in_queues.back() < 0 || csl.out_queues.back() < 0) return false;
  }
  return true;
}

/// The queues of one class of processors: what it sends gets the lowest ones, what it takes the highest, so that the two
/// instructions of an exchange rarely want one number. Nothing if there are too few.
std::optional<std::vector<int>> queues_of(const ProcessorClass& c, std::size_t colors, const std::vector<int>& in,
                                          const std::vector<int>& out, int none) {
  WaferProgram alone;
  alone.colors.resize(colors);
  alone.classes.push_back(c);
  const Meetings meet(alone);
  std::vector<int> chosen(2 * colors, none);
  auto next = out.begin();
  for (std::size_t color = 0; color < colors; ++color) {
    if (meet.sent[color] == 0) continue;
    if (next == out.end()) return std::nullopt;
    chosen[colors + color] = *next++;
  }
  for (std::size_t color = 0; color < colors; ++color) {
    if (meet.taken[color] == 0) continue;
    const auto free = std::find_if(in.rbegin(), in.rend(), [&](int q) {
      for (std::size_t other = 0; other < colors; ++other) {
        if (chosen[other] == q) return false;
        if ((meet.beside[other] >> color & 1U) != 0 && chosen[colors + other] == q) return false;
      }
      return true;
    });
    if (free == in.rend()) return std::nullopt;
    chosen[color] = *free;
  }
  return chosen;
}

/// A choice of queues for each class. Needs a number that none of them has: one that belongs to the host library.
bool choose_by_class(CslProgram& csl, const std::vector<int>& in, const std::vector<int>& out) {
  const Mesh& mesh = csl.wafer->mesh();
  if (mesh.reserved_queues.empty()) return false;
  csl.no_queue = mesh.reserved_queues.front();
  const std::size_t colors = csl.wafer->colors.size();
  for (const ProcessorClass& c : csl.wafer->classes) {
    const auto chosen = queues_of(c, colors, in, out, csl.no_queue);
    if (!chosen) return false;
    csl.queues_of.of_class.push_back(intern(csl.queue_sets, *chosen));
  }
  csl.in_queues.assign(colors, csl.no_queue);
  csl.out_queues = csl.in_queues;
  return true;
}

/// A queue for each color, the same for what is taken and what is sent; shifted where an exchange takes the color that it
/// sends. False if there are too few.
bool give_each_its_own(CslProgram& csl, const std::vector<int>& queues) {
  const std::size_t colors = csl.wafer->colors.size();
  if (colors > queues.size()) return false;
  const Meetings meet(*csl.wafer);
  for (std::size_t shift = 0; shift < queues.size(); ++shift) {
    const auto sent_by = [&](std::size_t color) { return queues[(color + shift) % queues.size()]; };
    bool apart = true;
    for (std::size_t sent = 0; sent < colors; ++sent) {
      for (std::size_t taken = 0; taken < colors; ++taken) {
        if ((meet.beside[sent] >> taken & 1U) != 0) apart &= sent_by(sent) != queues[taken];
      }
    }
    if (!apart) continue;
    for (std::size_t color = 0; color < colors; ++color) {
      csl.in_queues.push_back(queues[color]);
      csl.out_queues.push_back(sent_by(color));
    }
    return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> assign_queues(CslProgram& csl) {
  const Mesh& mesh = csl.wafer->mesh();
  const std::size_t needed = csl.wafer->colors.size();
  const std::vector<int> in = free_queues(mesh.input_queues, mesh.reserved_queues);
  const std::vector<int> out = free_queues(mesh.output_queues, mesh.reserved_queues);
  if (give_each_its_own(csl, in.size() < out.size() ? in : out)) return std::nullopt;
  if (!mesh.queues_are_bound && share_queues(csl, in, out)) return std::nullopt;
  if (choose_by_class(csl, in, out)) return std::nullopt;
  return fmt::format("csl: {} colors need a queue each, and {} are free", needed, std::min(in.size(), out.size()));
}

}  // namespace muster::wafer
