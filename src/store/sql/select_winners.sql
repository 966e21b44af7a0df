-- The best known configurations of one kernel, ?1, on the problem ?2, or on all if {of_problem} is
-- "?2 IS NULL".
SELECT device.id, problem.id, device.facts, problem.sizes, config.params, m.median_ms, m.timing,
       m.id, winner.ended_run_id IS NOT NULL, winner.verified
FROM winner
CROSS JOIN measurement AS m ON m.id = winner.measurement_id
JOIN problem ON problem.id = winner.problem_id
JOIN device ON device.id = winner.device_id
JOIN config ON config.id = m.config_id
WHERE winner.kernel_id = ?1 AND {of_problem}
ORDER BY device.id, problem.id
