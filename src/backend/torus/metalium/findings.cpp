#include "backend/torus/metalium/findings.h"

#include <fmt/format.h>

#include <filesystem>

namespace muster::torus {

void Findings::add(Finding finding) {
  const auto [place, is_new] = index_.emplace(std::tuple(finding.kind, finding.file, finding.line), all_.size());
  if (is_new) return all_.push_back(std::move(finding));
  ++all_[place->second].times;
}

std::string file_name(const muster_stand_in::Site& site) {
  return std::filesystem::path(site.file).filename().string();
}

std::string site_text(const muster_stand_in::Site& site) { return fmt::format("{}:{}", file_name(site), site.line); }

}  // namespace muster::torus
