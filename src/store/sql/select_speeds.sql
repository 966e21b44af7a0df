-- Every right measurement of a kernel, ?1, on the devices and problems that have a winner, under
-- the device's current toolchain and in the winner's timing mode. {of_winner} and
-- {of_measurement} compare with ?3, the problem, NULL for all. ?4: the device's name, or NULL for
-- any. Of several measurements of a configuration, the one that counts comes last: a winner's own,
-- else the latest.
WITH best AS MATERIALIZED (
  SELECT winner.problem_id, winner.device_id, winner.measurement_id, m.timing,
         current.toolchain_id
  FROM winner
  CROSS JOIN measurement AS m ON m.id = winner.measurement_id
  JOIN current_toolchain AS current ON current.device_id = winner.device_id
  WHERE winner.kernel_id = ?1 AND {of_winner})
SELECT device.id, problem.id, config.id, m.median_ms, speed.gflops, speed.gbps, m.registers,
       m.spill_store_bytes + m.spill_load_bytes, m.timing, m.blocks_per_sm, m.id,
       device.facts, problem.sizes, config.params
FROM right_measurement AS m
JOIN best ON best.problem_id = m.problem_id AND best.device_id = m.device_id
         AND best.timing = m.timing AND best.toolchain_id = m.toolchain_id
JOIN problem ON problem.id = m.problem_id
JOIN device ON device.id = m.device_id
JOIN config ON config.id = m.config_id
JOIN speed ON speed.measurement_id = m.id
WHERE m.kernel_id = ?1 AND {of_measurement} AND coalesce(device.name = ?4 COLLATE NOCASE, 1)
ORDER BY device.name, device.id, problem.id, m.id = best.measurement_id, m.id
