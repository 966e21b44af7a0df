-- The newest measurement of each configuration and baseline under the conditions of the measurement
-- ?1 that has a time and a value of the metric ?2.
SELECT max(same.id)
FROM measurement AS base
JOIN measurement AS same
  ON same.kernel_id = base.kernel_id AND same.problem_id = base.problem_id
 AND same.device_id = base.device_id AND same.toolchain_id = base.toolchain_id
 AND same.l2_flushed = base.l2_flushed
WHERE base.id = ?1 AND same.status = 'ok'
  AND EXISTS (SELECT 1 FROM metric
              WHERE measurement_id = same.id AND name = ?2 AND value IS NOT NULL)
GROUP BY same.config_id, same.label
