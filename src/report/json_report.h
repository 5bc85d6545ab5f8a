// Answers as JSON, for other programs: docs/json.md lists every key. Numbers are SI or cycles; a key without meaning
// for an answer is null, never missing. Each text ends with a newline.
#pragma once

#include <string>
#include <vector>

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

std::string json_report(const PlanAnswer& answer);
std::string json_report(const SimulationAnswer& answer);
std::string json_report(const ExplainAnswer& answer);
std::string json_report(const SweepAnswer& answer);
std::string json_report(const SensitivityAnswer& answer);
std::string json_report(const SharingAnswer& answer);
std::string json_report(const TrafficAnswer& answer);
std::string json_report(const KernelsAnswer& answer);
std::string json_report(const TrainingAnswer& answer);
std::string json_report(const WavefieldAnswer& answer);
std::string json_report(const WavefieldPlan& plan);
std::string json_report(const StencilPlanAnswer& answer);
std::string json_report(const StencilRunAnswer& answer);
std::string json_report(const StencilExplainAnswer& answer);
std::string json_report(const RooflineAnswer& answer);
/// Several, grouped by workload.
std::string json_report(const std::vector<TrainingAnswer>& answers);
std::string json_report(const VerifyAnswer& answer);
std::string json_report(const ProgramCheckAnswer& answer);
std::string json_report(const EmitAnswer& answer);
std::string json_report(const FigureFilesAnswer& answer);
std::string json_report(const std::vector<AlgorithmAnswer>& answers);
std::string json_report(const std::vector<MachineAnswer>& answers);
std::string json_report(const MachineAnswer& machine, const std::vector<MachineValueAnswer>& values);
std::string json_report(const MachineTemplateAnswer& answer);
std::string json_report(const AdviceAnswer& answer);
std::string json_report(const std::vector<ClaimAnswer>& answers);

}  // namespace muster
