// What the ranks of a linear schedule hold at the end against what their contracts say. Fingerprints find out whether something
// differs; the contributions of that one element, one by one, say what.
#include <algorithm>

#include "base/error.h"
#include "schedule/holdings.h"
#include "schedule/verifier/settle.h"
#include "schedule/verifier/time_steps.h"

namespace muster::verifier {
namespace {

/// A contribution with what it is multiplied with.
struct Contribution {
  Origin origin;
  Product product;
  std::uint64_t has = 0;
  std::uint64_t owed = 0;
};

class Difference {
 public:
  Difference(const Subject& subject, const Products& owed, const Products& has) : subject_(subject) {
    std::map<std::pair<Origin, Product>, std::pair<std::uint64_t, std::uint64_t>> all;
    for (const auto& [origin, weights] : owed) {
      for (const auto& [product, times] : weights) all[{origin, product}].first = times;
    }
    const Holdings holdings(subject.schedule);
    for (const auto& [origin, weights] : has) {
      if (is_zero(holdings, origin)) continue;
      for (const auto& [product, times] : weights) all[{origin, product}].second = times;
    }
    for (const auto& [what, times] : all) {
      if (times.first != times.second) add({what.first, what.second, times.second, times.first});
    }
  }

  [[nodiscard]] Counterexample text(NodeId node, Buffer buffer, std::int64_t element) const {
    const Location where{.node = node, .element = element};
    const std::string who = fmt::format("{}, in element {} of {},", subject_.node(node), element, buffer_name(buffer));
    const std::size_t differences = missing_.size() + foreign_.size() + doubled_.size();
    if (!missing_.empty() && !foreign_.empty()) {
      const Contribution& other = nearest(missing_.front());
      return found(Kind::foreign, where, "{} owes {}, but has {} instead{}", who, name(missing_.front()), name(other),
                   more(differences, 2));
    }
    if (!missing_.empty()) {
      return found(Kind::missing, where, "{} owes {}, but does not have it{}", who, name(missing_.front()),
                   more(differences, 1));
    }
    if (!foreign_.empty()) {
      return found(Kind::foreign, where, "{} has {}, which it does not owe{}", who, name(foreign_.front()),
                   more(differences, 1));
    }
    MUSTER_ASSERT(!doubled_.empty(), "element {} was refused, yet holds what is owed", element);
    const Contribution& most = doubled_.front();
    const Kind kind = most.has > most.owed ? Kind::doubled : Kind::missing;
    return found(kind, where, "{} owes {} {}, but has it {}{}", who, name(most), times(most.owed), times(most.has),
                 more(differences, 1));
  }

 private:
  static bool is_zero(const Holdings& holdings, const Origin& origin) {
    const auto held = holdings.of(origin.node);
    return std::any_of(held.begin(), held.end(), [&](const Holdings::Held& h) {
      return h.is_zero && h.buffer == origin.buffer && origin.element >= h.range.first &&
             origin.element < h.range.end();
    });
  }

  void add(Contribution contribution) {
    auto& list = contribution.has == 0 ? missing_ : contribution.owed == 0 ? foreign_ : doubled_;
    list.push_back(std::move(contribution));
  }

  /// What is there instead: preferably of the same origin, or with the same factors.
  [[nodiscard]] const Contribution& nearest(const Contribution& missing) const {
    const auto likeness = [&](const Contribution& c) {
      return 2 * static_cast<int>(c.origin == missing.origin) + static_cast<int>(c.product == missing.product);
    };
    return *std::max_element(foreign_.begin(), foreign_.end(),
                             [&](const Contribution& a, const Contribution& b) { return likeness(a) < likeness(b); });
  }

  [[nodiscard]] std::string name(const Contribution& c) const {
    std::string text;
    for (const std::int32_t coefficient : c.product.coefficients) {
      text += subject_.schedule.coefficients[at(coefficient)].name + " x ";
    }
    for (const Product::ArrayElement& a : c.product.arrays) {
      text += fmt::format("{}[{}] of {} x ", subject_.schedule.coefficients[at(a.coefficient)].name, a.element,
                          subject_.node(a.node));
    }
    return text + fmt::format("element {} of {} of {}", c.origin.element, buffer_name(c.origin.buffer),
                              subject_.node(c.origin.node));
  }

  static std::string times(std::uint64_t count) { return count == 1 ? "once" : fmt::format("{} times", count); }
  static std::string more(std::size_t differences, std::size_t shown) {
    return differences > shown ? fmt::format(" (and {} more differences)", differences - shown) : "";
  }

  const Subject& subject_;
  std::vector<Contribution> missing_;
  std::vector<Contribution> foreign_;
  std::vector<Contribution> doubled_;  ///< there, but not as often as owed
};

class LinearSettler {
 public:
  LinearSettler(const Subject& subject, Memories& memories, Contributions& contributions, const ProductTrace& trace)
      : subject_(subject), memories_(memories), contributions_(contributions), trace_(trace) {}

  Verdict run() {
    for (const Contract& contract : subject_.schedule.contracts) {
      Finding wrong = contract.collective == Collective::stencil ? stencil(contract) : combination(contract);
      if (wrong) return {.counterexample = wrong};
    }
    return {.counterexample = {}, .error_probability = contributions_.error_probability()};
  }

 private:
  using Owes = std::function<Products(std::int64_t element)>;

  Finding stencil(const Contract& contract) {
    TimeSteps steps(subject_.schedule, contract, contributions_);
    for (std::int32_t rank = 0; rank < std::ssize(contract.ranks); ++rank) {
      const NodeId node = contract.ranks[at(rank)];
      for (const bool newest : {true, false}) {
        const Owes owes = [&](std::int64_t element) { return steps.products(rank, newest, element); };
        const Segments expected = newest ? steps.newest(rank) : steps.previous(rank);
        if (Finding wrong = pay(node, newest ? contract.to : contract.from, 0, expected, owes)) return wrong;
      }
    }
    for (const StencilPoints& receiver : contract.receivers) {
      const Owes owes = [&](std::int64_t element) {
        return steps.products(receiver.rank, true, element - receiver.first + receiver.elements.first);
      };
      const NodeId node = contract.ranks[at(receiver.rank)];
      if (Finding wrong = pay(node, Buffer::record, receiver.first, steps.recorded(receiver), owes)) return wrong;
    }
    return std::nullopt;
  }

  /// A contract whose contributions have no factors.
  Finding combination(const Contract& contract) {
    const auto of_rank = [&](std::int32_t rank) {
      return contributions_.of(contract.ranks[at(rank)], held_in(contract, rank));
    };
    const auto ranks = static_cast<std::int32_t>(contract.ranks.size());
    Value combined = of_rank(0);
    for (std::int32_t rank = 1; rank < ranks; ++rank) combined = contributions_.add(combined, of_rank(rank));
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
      for (const Owed& owed : owed_after(contract, rank)) {
        if (owed.range.count == 0) continue;
        const Value value = owed.source < 0 ? combined : of_rank(owed.source);
        const Segment expected{owed.range.count, {.value = contributions_.shifted(value, owed.displacement)}};
        const Owes owes = [&](std::int64_t element) { return products_of(contract, owed, element); };
        if (Finding wrong = pay(contract.ranks[at(rank)], contract.to, owed.range.first, {expected}, owes))
          return wrong;
      }
    }
    return std::nullopt;
  }

  static Products products_of(const Contract& contract, const Owed& owed, std::int64_t element) {
    Products products;
    for (std::int32_t rank = 0; rank < std::ssize(contract.ranks); ++rank) {
      if (owed.source >= 0 && rank != owed.source) continue;
      const Origin origin{contract.ranks[at(rank)], held_in(contract, rank), element + owed.displacement};
      products[origin] = {{Product{}, 1}};
    }
    return products;
  }

  /// Whether a buffer holds what is expected from element `first` on.
  Finding pay(NodeId node, Buffer buffer, std::int64_t first, const Segments& expected, const Owes& owes) {
    Finding wrong;
    for (const Segment& segment : expected) {
      memories_.visit(node, buffer, {first, segment.count}, [&](Range part, const Content* content) {
        if (wrong || (content != nullptr && contributions_.same(content->value, segment.content.value))) return;
        if (content == nullptr) {
          wrong = found(Kind::missing, {.node = node, .element = part.first},
                        "{} owes a value in element {} of {}, where nothing was ever stored", subject_.node(node),
                        part.first, buffer_name(buffer));
          return;
        }
        const Difference difference(subject_, owes(part.first), trace_(node, buffer, part.first));
        wrong = difference.text(node, buffer, part.first);
      });
      if (wrong) return wrong;
      first += segment.count;
    }
    return std::nullopt;
  }

  const Subject& subject_;
  Memories& memories_;
  Contributions& contributions_;
  const ProductTrace& trace_;
};

}  // namespace

Verdict settle_linear(const Subject& subject, Memories& memories, Contributions& contributions,
                      const ProductTrace& trace) {
  return LinearSettler(subject, memories, contributions, trace).run();
}

}  // namespace muster::verifier
