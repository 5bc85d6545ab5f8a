// The earliest cycles of a sequence. Between two changes of what it waits for, all is linear: such a stretch is solved at
// once, however long it is.
#include "backend/wafer/stream/solver.h"

#include <algorithm>
#include <limits>

namespace muster::wafer {
namespace {

constexpr std::int32_t kNoEnd = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::min() / 4;

std::int64_t round_up(std::int64_t value, std::int64_t step) { return (value + step - 1) / step * step; }

}  // namespace

// --- rivals

std::int64_t Rivals::Cursor::next(std::int64_t cycle) {
  while (id >= 0) {
    const Runs all = runs();
    if (all.known == 0 || all.last() < cycle) {
      id = chain->after(id);
      run = 0;
      continue;
    }
    while (all.last_of(run) < cycle) ++run;
    const Run& r = all.begin[run];
    return cycle <= r.time ? r.time : r.time + round_up(cycle - r.time, r.stride);
  }
  return kForever;
}

std::int64_t Rivals::next_free(std::int64_t cycle) {
  for (bool again = true; again;) {
    again = false;
    for (Cursor& cursor : cursors_) {
      if (cursor.next(cycle) != cycle) continue;
      const Runs runs = cursor.runs();
      cycle = runs.begin[cursor.run].stride == 1 ? runs.last_of(cursor.run) + 1 : cycle + 1;
      again = met_ = true;
    }
  }
  return cycle;
}

std::int32_t Rivals::free_length(std::int64_t cycle, std::int32_t stride, std::int32_t count) {
  for (const Cursor& cursor : cursors_) {
    const std::int32_t length = free_length(cursor, cycle, stride, count);
    met_ |= length < count;
    count = length;
  }
  return count;
}

std::int32_t Rivals::free_length(Cursor cursor, std::int64_t cycle, std::int32_t stride, std::int32_t count) {
  const std::int64_t last = cycle + static_cast<std::int64_t>(stride) * (count - 1);
  for (std::int64_t mine = cycle; mine <= last;) {
    const std::int64_t taken = cursor.next(mine);
    if (taken > last) break;
    if ((taken - cycle) % stride == 0) return static_cast<std::int32_t>((taken - cycle) / stride);
    // Two runs whose strides are multiples keep their distance: they cannot collide before the other run ends.
    const Runs runs = cursor.runs();
    const bool never = runs.begin[cursor.run].stride % stride == 0;
    mine = cycle + round_up((never ? runs.last_of(cursor.run) : taken) - cycle, stride);
  }
  return count;
}

// --- sources

void Source::load(std::int32_t element) {
  while (part_ < used_ && element >= parts_[part_].first + parts_[part_].runs.known) {
    ++part_;
    run_ = 0;
  }
  at_ = element;
  if (part_ == used_ || element < parts_[part_].first) {
    time_ = kNoTime;
    stride_ = 0;
    until_ = part_ == used_ ? kNoEnd : static_cast<std::int32_t>(parts_[part_].first);
    return;
  }
  const Part& part = parts_[part_];
  const auto local = static_cast<std::int32_t>(element - part.first);
  while (part.runs.end_of(run_) <= local) ++run_;
  time_ = part.runs.time_of(run_, local) + part.offset;
  stride_ = part.runs.begin[run_].stride;
  until_ = static_cast<std::int32_t>(std::min<std::int64_t>(part.first + part.runs.end_of(run_), kNoEnd));
}

// --- solver

void Solver::begin(const Question& question) {
  question_ = question;
  writer_.begin(question.certain);
  used_ = 0;
  throttles_.clear();
  rivals_.clear();
  late_ = false;
  beyond_ = -1;
}

Source& Solver::add_source() {
  if (used_ == sources_.size()) sources_.emplace_back();
  sources_[used_].clear();
  return sources_[used_++];
}

void Solver::add_throttle(std::int32_t distance, std::int64_t delay) {
  if (delay <= static_cast<std::int64_t>(distance) * question_.step) return;
  if (distance == 1) {
    question_.step = static_cast<std::int32_t>(delay);
    const Runs own = writer_.runs();
    if (own.known > 0) question_.floor = std::max(question_.floor, own.last() + delay);
  } else {
    throttles_.push_back({distance, delay});
  }
}

std::int64_t Solver::own_value(const Throttle& throttle, std::int32_t element, std::int32_t& until) const {
  if (element < throttle.distance) {
    until = std::min(until, throttle.distance);
    return kNoTime;
  }
  const Runs own = writer_.runs();
  std::int32_t run = own.size - 1;
  while (own.begin[run].first > element - throttle.distance) --run;
  until = std::min(until, own.end_of(run) + throttle.distance);
  // One element at a time: the run may be too short to follow its stride.
  until = std::min(until, element + 1);
  return own.time_of(run, element - throttle.distance) + throttle.delay;
}

/// The source that sets the time and rises fastest sets the pace.
std::int32_t Solver::stride_at(std::int64_t time) const {
  std::int32_t stride = question_.step;
  for (std::size_t s = 0; s < used_; ++s) {
    if (sources_[s].value() == time) stride = std::max(stride, sources_[s].stride());
  }
  return stride;
}

/// The element at which another source catches up.
std::int32_t Solver::overtaken(std::int32_t element, std::int64_t time, std::int32_t stride, std::int32_t until) const {
  std::int64_t first = until;
  for (std::size_t s = 0; s < used_; ++s) {
    const std::int32_t faster = sources_[s].stride() - stride;
    if (faster > 0) first = std::min(first, element + (time - sources_[s].value()) / faster + 1);
  }
  return static_cast<std::int32_t>(first);
}

Runs Solver::solve() {
  for (std::size_t s = 0; s < used_; ++s) sources_[s].finish();
  std::int64_t floor = question_.floor;
  for (std::int32_t e = question_.certain.known; e < question_.count;) {
    std::int64_t time = floor;
    std::int32_t until = question_.count;
    for (std::size_t s = 0; s < used_; ++s) {
      sources_[s].seek(e);
      time = std::max(time, sources_[s].value());
      until = std::min(until, sources_[s].until());
    }
    for (const Throttle& throttle : throttles_) time = std::max(time, own_value(throttle, e, until));
    if (!rivals_.empty()) time = rivals_.next_free(time);
    if (time >= question_.end) {
      beyond_ = time;
      late_ |= used_ == 0 || sources_[0].value() != time;
      break;
    }
    const std::int32_t stride = stride_at(time);
    std::int64_t length = overtaken(e, time, stride, until) - e;
    if (const std::int64_t last = time + stride * (length - 1); last >= question_.end) {
      length = (question_.end - 1 - time) / stride + 1;
    }
    if (!rivals_.empty()) length = rivals_.free_length(time, stride, static_cast<std::int32_t>(length));
    late_ |= used_ == 0 || sources_[0].value() != time || (length > 1 && sources_[0].stride() != stride);
    writer_.add(time, static_cast<std::int32_t>(length), stride);
    e += static_cast<std::int32_t>(length);
    floor = time + stride * (length - 1) + question_.step;
  }
  return writer_.runs();
}

}  // namespace muster::wafer
