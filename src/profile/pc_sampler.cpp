#include "profile/pc_sampler.hpp"

#include <array>
#include <cstdlib>
#include <vector>

#include "profile/cupti_error.hpp"

namespace gtune {
namespace {

/// Records that are read at a time. A kernel has a few thousand instructions.
constexpr std::size_t records_at_once = 4096;
/// More than any kernel needs; ends a loop over a CUPTI that always has more.
constexpr int most_reads = 1000;

/// A parameter block of the PC sampling functions, with its size set and all other fields zero.
template <typename Params>
Params sampling_params(std::size_t size, CUcontext context) {
  Params params{};
  params.size = size;
  params.ctx = context;
  return params;
}

CUpti_PCSamplingConfigurationInfo attribute(CUpti_PCSamplingConfigurationAttributeType type) {
  CUpti_PCSamplingConfigurationInfo info{};
  info.attributeType = type;
  return info;
}

}  // namespace

struct PcSampler::DataBuffer {
  explicit DataBuffer(std::size_t reasons) : stalls(records_at_once * reasons) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      records[i].size = sizeof(CUpti_PCSamplingPCData);
      records[i].stallReason = stalls.data() + i * reasons;
    }
    data.size = sizeof(CUpti_PCSamplingData);
    data.collectNumPcs = records.size();
    data.pPcData = records.data();
  }

  std::vector<CUpti_PCSamplingStallReason> stalls;  // of each record
  std::vector<CUpti_PCSamplingPCData> records{records_at_once};
  CUpti_PCSamplingData data{};
};

PcSampler::PcSampler(CUcontext context) : m_context(context) {
  auto params =
      sampling_params<CUpti_PCSamplingEnableParams>(CUpti_PCSamplingEnableParamsSize, m_context);
  const CUptiResult enabled = m_cupti.enable_sampling(&params);
  if (enabled == CUPTI_ERROR_NOT_SUPPORTED) {
    throw CountersUnavailable("CUPTI does not sample instructions on this device and driver");
  }
  check(enabled, "cuptiPCSamplingEnable");
  try {
    read_stall_reasons();
    m_rest = std::make_unique<DataBuffer>(m_stall_reasons.size());
  } catch (...) {
    disable();
    throw;
  }
}

PcSampler::~PcSampler() { disable(); }

void PcSampler::disable() {
  auto params =
      sampling_params<CUpti_PCSamplingDisableParams>(CUpti_PCSamplingDisableParamsSize, m_context);
  m_cupti.disable_sampling(&params);
}

void PcSampler::check(CUptiResult result, const char* what) const {
  check_cupti(m_cupti, result, what);
}

void PcSampler::read_stall_reasons() {
  std::size_t count = 0;
  auto number = sampling_params<CUpti_PCSamplingGetNumStallReasonsParams>(
      CUpti_PCSamplingGetNumStallReasonsParamsSize, m_context);
  number.numStallReasons = &count;
  check(m_cupti.number_of_stall_reasons(&number), "cuptiPCSamplingGetNumStallReasons");
  std::vector<std::uint32_t> indices(count);
  std::vector<std::array<char, CUPTI_STALL_REASON_STRING_SIZE>> names(count);
  std::vector<char*> pointers;
  for (auto& name : names) pointers.push_back(name.data());
  auto reasons = sampling_params<CUpti_PCSamplingGetStallReasonsParams>(
      CUpti_PCSamplingGetStallReasonsParamsSize, m_context);
  reasons.numStallReasons = count;
  reasons.stallReasonIndex = indices.data();
  reasons.stallReasons = pointers.data();
  check(m_cupti.stall_reasons(&reasons), "cuptiPCSamplingGetStallReasons");
  for (std::size_t i = 0; i < count; ++i) m_stall_reasons[indices[i]] = names[i].data();
}

std::string PcSampler::stall_name(std::uint32_t index) const {
  const auto found = m_stall_reasons.find(index);
  return found == m_stall_reasons.end() ? "reason_" + std::to_string(index) : found->second;
}

void PcSampler::configure(unsigned period_log2) {
  if (period_log2 == m_period_log2) return;
  std::array<CUpti_PCSamplingConfigurationInfo, 4> attributes = {
      attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE),
      attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD),
      attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL),
      attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER)};
  // NOLINTBEGIN(cppcoreguidelines-pro-type-union-access): CUPTI's own
  attributes[0].attributeData.collectionModeData.collectionMode =
      CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
  attributes[1].attributeData.samplingPeriodData.samplingPeriod = period_log2;
  attributes[2].attributeData.enableStartStopControlData.enableStartStopControl = 1;
  attributes[3].attributeData.samplingDataBufferData.samplingDataBuffer = &m_rest->data;
  // NOLINTEND(cppcoreguidelines-pro-type-union-access)
  auto params = sampling_params<CUpti_PCSamplingConfigurationInfoParams>(
      CUpti_PCSamplingConfigurationInfoParamsSize, m_context);
  params.numAttributes = attributes.size();
  params.pPCSamplingConfigurationInfo = attributes.data();
  check(m_cupti.configure_sampling(&params), "cuptiPCSamplingSetConfigurationAttribute");
  m_period_log2 = period_log2;
}

SampledAddresses PcSampler::sample(unsigned period_log2, const std::function<void()>& launch) {
  m_usable = false;  // until the end: an exception may leave it sampling
  configure(period_log2);
  auto start =
      sampling_params<CUpti_PCSamplingStartParams>(CUpti_PCSamplingStartParamsSize, m_context);
  auto stop =
      sampling_params<CUpti_PCSamplingStopParams>(CUpti_PCSamplingStopParamsSize, m_context);
  check(m_cupti.start_sampling(&start), "cuptiPCSamplingStart");
  launch();
  check(m_cupti.stop_sampling(&stop), "cuptiPCSamplingStop");
  SampledAddresses sampled;
  DataBuffer buffer(m_stall_reasons.size());
  for (int reads = 0; read_some(buffer, sampled); ++reads) {
    if (reads == most_reads) throw CuptiError("CUPTI keeps having more samples");
  }
  m_usable = true;
  return sampled;
}

bool PcSampler::read_some(DataBuffer& buffer, SampledAddresses& to) const {
  auto params =
      sampling_params<CUpti_PCSamplingGetDataParams>(CUpti_PCSamplingGetDataParamsSize, m_context);
  params.pcSamplingData = &buffer.data;
  check(m_cupti.sampling_data(&params), "cuptiPCSamplingGetData");
  to.dropped += buffer.data.droppedSamples;
  for (std::size_t i = 0; i < buffer.data.totalNumPcs && i < buffer.records.size(); ++i) {
    const CUpti_PCSamplingPCData& record = buffer.records[i];
    AddressSamples address;
    // CUPTI leaves the name to its caller, but records share it. Never freed: a few hundred bytes
    // for each function, in a process that ends soon.
    if (record.functionName != nullptr) address.function = record.functionName;
    address.offset = record.pcOffset;
    for (std::size_t s = 0; s < record.stallReasonCount; ++s) {
      const CUpti_PCSamplingStallReason& stall = record.stallReason[s];
      address.stalls[stall_name(stall.pcSamplingStallReasonIndex)] += stall.samples;
    }
    to.addresses.push_back(std::move(address));
  }
  return buffer.data.remainingNumPcs > 0;
}

}  // namespace gtune
