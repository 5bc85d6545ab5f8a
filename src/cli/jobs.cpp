// muster jobs: several collectives that share the dimensions of a cluster.
#include <set>

#include "app/sharing/share.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/ranges.h"
#include "cli/commands.h"
#include "cli/question.h"
#include "cli/show.h"
#include "schedule/arithmetic.h"

namespace muster {
namespace {

constexpr const char* kExample = "allreduce,100MB,at=20us";
constexpr std::int64_t kMostWords = 1'000'000'000'000;
constexpr Seconds kLatest(3600);

std::int64_t words_of(const std::string& text) {
  const Outcome<Bytes> bytes = parse_bytes(text);
  if (!bytes) reject("--job: {}", bytes.reason());
  const std::int64_t value = bytes.value().value();
  constexpr std::int64_t kWord = sizeof(Word);
  if (value < kWord || value % kWord != 0 || value / kWord > kMostWords) {
    reject("--job: '{}' is not a valid vector size; use a multiple of {} bytes, at most {}", text, kWord,
           to_text(Bytes(kMostWords * kWord)));
  }
  return value / kWord;
}

Seconds begin_of(const std::string& text) {
  const Outcome<Seconds> time = parse_seconds(text);
  if (!time) reject("--job: at: {}", time.reason());
  if (time.value() > kLatest) reject("--job: at: '{}' is too late; use at most '{}'", text, to_text(kLatest));
  return time.value();
}

/// `given` are the keys of this job so far.
void set(sharing::Job& job, const std::string& text, std::set<std::string>& given) {
  const auto [key, value] = parse_assignment(text, "--job", kExample);
  if (!given.insert(key).second) reject("--job: '{}' was given twice; give it once", key);
  if (key == "at") {
    job.begins = begin_of(value);
  } else if (key == "algorithm") {
    job.algorithm = value;
  } else if (key == "chunks") {
    job.chunks = parse_number(value, {.flag = "--job", .least = 1, .most = INT64_MAX, .example = kExample});
    job.chunks_given = true;
  } else {
    reject("--job: unknown key '{}'; use at, algorithm or chunks", key);
  }
}

/// "allreduce,100MB,at=20us,algorithm=themis,chunks=64": collective and size first.
sharing::Job job_of_text(const std::string& text, const Machine& machine) {
  const std::vector<std::string> words = parse_words(text, "--job");
  if (words.size() < 2) reject("--job: '{}' needs a collective and a size; use e.g. --job {}", text, kExample);
  const auto collective = collective_from_name(words[0]);
  if (!collective) {
    reject("--job: unknown collective '{}'; use one of {}", words[0],
           fmt::join(collectives_of(family_name(machine)), ", "));
  }
  sharing::Job job{.collective = *collective, .words = words_of(words[1])};
  std::set<std::string> given;
  for (std::size_t i = 2; i < words.size(); ++i) set(job, words[i], given);
  return job;
}

}  // namespace

int run_jobs(const Arguments& arguments) {
  if (!arguments.has("--machine")) reject("jobs needs --machine; use e.g. --machine themis-2d-sw-sw");
  if (!arguments.has("--job")) reject("jobs needs --job; use e.g. --job {}", kExample);
  sharing::Request request{.machine = whole_machine_of(arguments), .jobs = {}};
  for (const std::string& text : arguments.values("--job")) request.jobs.push_back(job_of_text(text, request.machine));
  if (arguments.has("--order")) {
    const std::string& order = arguments.text("--order");
    if (order != "fifo" && order != "scf") reject("--order: unknown order '{}'; use fifo or scf", order);
    request.first = order == "fifo" ? SendFirst::arrived : SendFirst::smallest;
  }
  const SharingAnswer answer = sharing::share(request);
  show(arguments, answer);
  return kDone;
}

}  // namespace muster
