#include "store/measurement_rows.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "model/possible_measurement.hpp"
#include "store/json_text.hpp"

namespace gtune {

// Samples are stored as in memory; the format is little-endian float64.
static_assert(std::endian::native == std::endian::little);

namespace {

void bind_resources(Binder& to, const std::optional<ResourceUsage>& usage) {
  if (!usage) {
    for (int i = 0; i < 10; ++i) to.null();
    return;
  }
  to << usage->registers << usage->stack_bytes << usage->spill_store_bytes
     << usage->spill_load_bytes << usage->static_shared_bytes << usage->dynamic_shared_bytes
     << usage->cubin_bytes << usage->blocks_per_sm << usage->theoretical_occupancy
     << usage->occupancy_limit;
}

void bind_timing(Binder& to, const std::optional<Timing>& timing) {
  if (!timing) {
    for (int i = 0; i < 11; ++i) to.null();
    return;
  }
  to << timing->median_ms << timing->min_ms << timing->p95_ms << timing->mean_ms
     << timing->ci_low_ms << timing->ci_high_ms << timing->sm_clock_mhz << timing->throttled_samples
     << timing->converged << timing->discarded_early;
  // A null pointer would store an empty list as NULL.
  const auto& samples = timing->samples_ms;
  const void* data = samples.empty() ? static_cast<const void*>("") : samples.data();
  to.blob(data, samples.size() * sizeof(double));
}

std::optional<ResourceUsage> read_resources(Row& from) {
  const bool known = !from.peek().isNull();
  ResourceUsage usage;
  from >> usage.registers >> usage.stack_bytes >> usage.spill_store_bytes >>
      usage.spill_load_bytes >> usage.static_shared_bytes >> usage.dynamic_shared_bytes >>
      usage.cubin_bytes >> usage.blocks_per_sm >> usage.theoretical_occupancy >>
      usage.occupancy_limit;
  return known ? std::optional(usage) : std::nullopt;
}

std::optional<Timing> read_timing(Row& from, const TimingMode& mode) {
  Timing timing;
  timing.mode = mode;
  from >> timing.median_ms;
  for (double* each :
       {&timing.min_ms, &timing.p95_ms, &timing.mean_ms, &timing.ci_low_ms, &timing.ci_high_ms}) {
    std::optional<double> value;  // NULL where only the median was kept
    from >> value;
    *each = value.value_or(timing.median_ms);
  }
  from >> timing.sm_clock_mhz >> timing.throttled_samples >> timing.converged >>
      timing.discarded_early;
  const SQLite::Column samples = from.next();
  if (samples.isNull()) return std::nullopt;
  const auto bytes = static_cast<std::size_t>(samples.getBytes());
  if (bytes % sizeof(double) != 0) throw std::invalid_argument("samples_ms is no list of float64");
  timing.samples_ms.resize(bytes / sizeof(double));
  if (bytes > 0) std::memcpy(timing.samples_ms.data(), samples.getBlob(), bytes);
  return timing;
}

/// Turns an impossible measurement into a failed one. Another program may have written it, or an
/// older gtune that believed its workers.
void disbelieve(Measurement& measurement, const std::string& why) {
  Measurement failed;
  failed.config = std::move(measurement.config);
  failed.phase = measurement.phase;
  failed.label = std::move(measurement.label);
  failed.status = Status::crashed;
  failed.reason = impossible_answer(why);
  measurement = std::move(failed);
}

StoredMeasurement read_measurement(const SQLite::Statement& statement) {
  Row from(statement);
  StoredMeasurement stored;
  std::string params, names, phase, status;
  Measurement& measurement = stored.measurement;
  TimingMode mode;
  from >> stored.id >> stored.created >> params >> names >> mode;
  from >> phase >> measurement.label >> status >> measurement.reason >> measurement.max_error >>
      measurement.compile_ms >> measurement.gpu_ms;
  measurement.config = Config(values_from(params, names_from(names)));
  measurement.phase = phase_from_string(phase);
  measurement.status = status_from_string(status);
  measurement.resources = read_resources(from);
  measurement.timing = read_timing(from, mode);
  stored.why_impossible = why_impossible(measurement);
  if (stored.why_impossible) disbelieve(measurement, *stored.why_impossible);
  return stored;
}

}  // namespace

const std::string& measurement_columns() {
  static const std::string columns =
      "phase, label, status, reason, max_error, compile_ms, gpu_ms, "
      "registers, stack_bytes, spill_store_bytes, spill_load_bytes, static_shared_bytes, "
      "dynamic_shared_bytes, cubin_bytes, blocks_per_sm, theoretical_occupancy, occupancy_limit, "
      "median_ms, min_ms, p95_ms, mean_ms, ci_low_ms, ci_high_ms, sm_clock_mhz, "
      "throttled_samples, converged, discarded_early, samples_ms";
  return columns;
}

void bind_measurement(Binder& to, const Measurement& measurement) {
  // NULL means that no error was computed, so a NaN error is stored as infinity.
  std::optional<double> max_error = measurement.max_error;
  if (max_error && std::isnan(*max_error)) max_error = std::numeric_limits<double>::infinity();
  to << to_string(measurement.phase) << measurement.label << to_string(measurement.status)
     << measurement.reason << max_error << measurement.compile_ms << measurement.gpu_ms;
  bind_resources(to, measurement.resources);
  bind_timing(to, measurement.timing);
}

std::string select_measurements(const std::string& view) {
  return "SELECT id, created, (SELECT params FROM config WHERE config.id = config_id), "
         "(SELECT parameter_names FROM kernel WHERE kernel.id = kernel_id), timing, " +
         measurement_columns() + " FROM " + view + " ";
}

std::vector<StoredMeasurement> read_measurements(SQLite::Statement& statement) {
  std::vector<StoredMeasurement> rows;
  while (statement.executeStep()) rows.push_back(read_measurement(statement));
  return rows;
}

StoredMeasurement load_measurement(StatementCache& statements, MeasurementId id) {
  const StatementCache::Use select(statements, select_measurements() + "WHERE id = ?");
  Binder(*select) << id;
  auto rows = read_measurements(*select);
  if (rows.empty()) throw std::invalid_argument("a result without its measurement");
  if (const auto& why = rows.front().why_impossible) {
    throw std::invalid_argument("a time that cannot have been measured: " + *why);
  }
  return std::move(rows.front());
}

}  // namespace gtune
