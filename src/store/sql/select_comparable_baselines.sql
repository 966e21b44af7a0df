-- The newest measurement of each baseline under the conditions of the measurement ?1.
SELECT max(same.id)
FROM measurement AS base
JOIN measurement AS same
  ON same.kernel_id = base.kernel_id AND same.problem_id = base.problem_id
 AND same.device_id = base.device_id AND same.toolchain_id = base.toolchain_id
 AND same.l2_flushed = base.l2_flushed
WHERE base.id = ?1 AND same.phase = 'baseline'
GROUP BY same.label
