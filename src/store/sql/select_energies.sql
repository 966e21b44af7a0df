-- The right measurements of a kernel, ?1, with an energy, under the device's current toolchain, the
-- newest last. {of_measurement} compares with ?3, the problem, NULL for all. ?4: the device's name,
-- or NULL for any. By which objective a run chose its winner does not matter here.
SELECT device.id, problem.id, config.id, m.id, m.median_ms, m.timing, energy.value,
       power.value, device.facts, problem.sizes, config.params
FROM right_measurement AS m
JOIN current_toolchain AS current
  ON current.device_id = m.device_id AND current.toolchain_id = m.toolchain_id
JOIN metric AS energy ON energy.measurement_id = m.id AND energy.name = 'energy_mj'
JOIN metric AS power ON power.measurement_id = m.id AND power.name = 'power_w'
JOIN problem ON problem.id = m.problem_id
JOIN device ON device.id = m.device_id
JOIN config ON config.id = m.config_id
WHERE m.kernel_id = ?1 AND {of_measurement} AND coalesce(device.name = ?4 COLLATE NOCASE, 1)
  AND energy.value > 0 AND power.value > 0
ORDER BY device.name, device.id, problem.id, m.timing, m.id
