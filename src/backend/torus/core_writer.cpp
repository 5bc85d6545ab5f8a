#include "backend/torus/core_writer.h"

#include <algorithm>

#include "base/index.h"

namespace muster::torus {
namespace {

std::size_t number(Processor processor) { return static_cast<std::size_t>(processor); }

}  // namespace

void CoreWriter::know(Processor processor, const Fact& fact) {
  if (fact.kind == Fact::Kind::calls) know_calls(processor, fact);
  if (fact.kind != Fact::Kind::arrival) return;
  const Processor listener = processor == Processor::compute ? fact.listener : processor;
  know_calls(processor, {.kind = Fact::Kind::calls, .processor = listener, .calls = look_for(listener, fact)});
}

void CoreWriter::know_calls(Processor processor, const Fact& fact) {
  std::int32_t& known = known_[number(processor)][number(fact.processor)];
  if (processor == fact.processor || fact.calls <= known) return;
  // All earlier posts to it stand before this one, so tokens are taken in the order in which they are posted.
  posts_[number(fact.processor)].push_back({.calls = fact.calls, .to = processor});
  call(processor, Expect{.from = fact.processor});
  known = fact.calls;
}

std::int32_t CoreWriter::look_for(Processor processor, const Fact& fact) {
  auto& groups = awaited_[number(processor)];
  if (groups.size() <= at(fact.group)) groups.resize(at(fact.group) + 1);
  std::vector<Awaited>& waits = groups[at(fact.group)];
  const auto enough = std::lower_bound(waits.begin(), waits.end(), fact.value,
                                       [](const Awaited& wait, std::int64_t value) { return wait.value < value; });
  if (enough != waits.end()) return enough->calls;
  call(processor, Await{.counter = fact.group, .value = fact.value});
  waits.push_back({.value = fact.value, .calls = count(processor)});
  return waits.back().calls;
}

std::int64_t CoreWriter::awaited(GroupId group) const {
  std::int64_t most = 0;
  for (const auto& groups : awaited_) {
    if (at(group) < groups.size() && !groups[at(group)].empty()) {
      most = std::max(most, groups[at(group)].back().value);
    }
  }
  return most;
}

Core CoreWriter::finish() const {
  Core core;
  for (int p = 0; p < kProcessors; ++p) {
    std::vector<PostAfter> posts = posts_[at(p)];
    std::stable_sort(posts.begin(), posts.end(), [](const auto& a, const auto& b) { return a.calls < b.calls; });
    auto post = posts.begin();
    const auto post_up_to = [&](std::int32_t calls) {
      for (; post != posts.end() && post->calls <= calls; ++post) {
        core.calls[at(p)].emplace_back(Post{.to = post->to});
        ++core.tokens[at(p)][number(post->to)];
      }
    };
    for (std::size_t i = 0; i < calls_[at(p)].size(); ++i) {
      post_up_to(static_cast<std::int32_t>(i));
      core.calls[at(p)].push_back(calls_[at(p)][i]);
    }
    post_up_to(count(static_cast<Processor>(p)));
  }
  return core;
}

}  // namespace muster::torus
