-- The last right time of one configuration on a device and problem, under the current toolchain.
SELECT m.median_ms
FROM current_toolchain AS current
JOIN right_measurement AS m
  ON m.device_id = current.device_id AND m.toolchain_id = current.toolchain_id
WHERE current.device_id = ? AND m.kernel_id = ? AND m.problem_id = ? AND m.timing = ?
  -- Names the phases so that the index applies: its next column is the configuration.
  AND m.phase IN ('search', 'final')
  AND m.config_id = (SELECT id FROM config WHERE kernel = ? AND params = ?)
ORDER BY m.id DESC
LIMIT 1
