-- Every measurement of the search and the final under the conditions of the measurement ?1, in the
-- order in which they were made. `right` is 0 for a time that may not answer: an impossible one, or
-- of a configuration that any run saw wrong.
SELECT m.run_id, m.created, m.phase, m.status, m.reason, m.median_ms, m.ci_low_ms, m.ci_high_ms,
       m.gpu_ms, m.registers, m.spill_store_bytes + m.spill_load_bytes,
       m.static_shared_bytes + m.dynamic_shared_bytes,
       EXISTS (SELECT 1 FROM right_measurement WHERE right_measurement.id = m.id) AS right,
       m.id = ?1, config.id, config.params
FROM measurement AS base
JOIN measurement AS m
  ON m.kernel_id = base.kernel_id AND m.problem_id = base.problem_id
 AND m.device_id = base.device_id AND m.toolchain_id = base.toolchain_id
 AND m.timing = base.timing
JOIN config ON config.id = m.config_id
WHERE base.id = ?1 AND m.phase <> 'baseline'
ORDER BY m.id
