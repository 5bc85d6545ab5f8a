// Answers as text, for people: aligned tables, times in cycles and in microseconds, the winner marked, and a sentence
// where a number alone does not tell. Each text ends with a newline. Tables are laid out for the style's width, all other
// lines by fitted().
#pragma once

#include <string>
#include <vector>

#include "base/text_table.h"
#include "result/advice.h"
#include "result/answer.h"
#include "result/explanation.h"
#include "result/kernels.h"
#include "result/roofline.h"
#include "result/sensitivity.h"
#include "result/sharing.h"
#include "result/stencil.h"
#include "result/sweep.h"
#include "result/traffic.h"
#include "result/training.h"
#include "result/wavefield.h"

namespace muster {

std::string text_report(const PlanAnswer& answer, const Style& style = {});
std::string text_report(const SimulationAnswer& answer, const Style& style = {});
std::string text_report(const ExplainAnswer& answer, const Style& style = {});
std::string text_report(const SweepAnswer& answer, const Style& style = {});
std::string text_report(const SensitivityAnswer& answer, const Style& style = {});
std::string text_report(const SharingAnswer& answer, const Style& style = {});
std::string text_report(const TrafficAnswer& answer, const Style& style = {});
std::string text_report(const KernelsAnswer& answer, const Style& style = {});
std::string text_report(const TrainingAnswer& answer, const Style& style = {});
std::string text_report(const WavefieldAnswer& answer, const Style& style = {});
std::string text_report(const WavefieldPlan& plan, const Style& style = {});
std::string text_report(const StencilPlanAnswer& answer, const Style& style = {});
std::string text_report(const StencilRunAnswer& answer, const Style& style = {});
std::string text_report(const StencilExplainAnswer& answer, const Style& style = {});
std::string text_report(const RooflineAnswer& answer, const Style& style = {});
/// Several, grouped by workload.
std::string text_report(const std::vector<TrainingAnswer>& answers, const Style& style = {});
std::string text_report(const VerifyAnswer& answer, const Style& style = {});
std::string text_report(const ProgramCheckAnswer& answer, const Style& style = {});
std::string text_report(const EmitAnswer& answer, const Style& style = {});
std::string text_report(const FigureFilesAnswer& answer, const Style& style = {});
std::string text_report(const std::vector<AlgorithmAnswer>& answers, const Style& style = {});
std::string text_report(const std::vector<MachineAnswer>& answers, const Style& style = {});
std::string text_report(const MachineAnswer& machine, const std::vector<MachineValueAnswer>& values,
                        const Style& style = {});
std::string text_report(const AdviceAnswer& answer, const Style& style = {});
std::string text_report(const std::vector<ClaimAnswer>& answers, const Style& style = {});

/// A report with its long lines broken at spaces to fit the style's width: what follows a label continues below its first word.
/// Lines of tables (two spaces between words) and commands that are to be typed (`next`) stay as they are.
std::string fitted(const std::string& text, const Style& style);

}  // namespace muster
