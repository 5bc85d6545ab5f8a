// Answers as text, for people: aligned tables, times in cycles and in microseconds, the winner marked, and a sentence
// where a number alone does not tell. Each text ends with a newline.
#pragma once

#include <string>
#include <vector>

#include "result/advice.h"
#include "result/answer.h"
#include "result/explanation.h"
#include "result/sensitivity.h"
#include "result/sharing.h"
#include "result/sweep.h"
#include "result/training.h"

namespace muster {

std::string text_report(const PlanAnswer& answer);
std::string text_report(const SimulationAnswer& answer);
std::string text_report(const ExplainAnswer& answer);
std::string text_report(const SweepAnswer& answer);
std::string text_report(const SensitivityAnswer& answer);
std::string text_report(const SharingAnswer& answer);
std::string text_report(const TrainingAnswer& answer);
/// Several, grouped by workload.
std::string text_report(const std::vector<TrainingAnswer>& answers);
std::string text_report(const VerifyAnswer& answer);
std::string text_report(const ProgramCheckAnswer& answer);
std::string text_report(const EmitAnswer& answer);
std::string text_report(const FigureFilesAnswer& answer);
std::string text_report(const std::vector<AlgorithmAnswer>& answers);
std::string text_report(const std::vector<MachineAnswer>& answers);
std::string text_report(const MachineAnswer& machine, const std::vector<MachineValueAnswer>& values);
std::string text_report(const AdviceAnswer& answer);
std::string text_report(const std::vector<ClaimAnswer>& answers);

}  // namespace muster
