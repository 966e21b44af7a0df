-- Makes a copy of a database small enough to be bundled. Of what searches measured for kernels with 10,000
-- measurements or more, it leaves out measurements that a final repeats, and three of four that are 1.6 times as slow
-- as the best or slower. Without those that stay, expected times of bad configurations would be too good.
-- Usage: sqlite3 COPY.db < bench/compact.sql

CREATE TEMP TABLE winner AS
SELECT winner_id AS id FROM result WHERE winner_id IS NOT NULL;

CREATE TEMP TABLE surplus AS
SELECT m.id
FROM measurement m
JOIN (
  SELECT kernel_id, problem_id, device_id, min(median_ms) AS best
  FROM measurement
  WHERE status = 'ok' AND phase <> 'baseline'
  GROUP BY kernel_id, problem_id, device_id
) USING (kernel_id, problem_id, device_id)
WHERE m.phase = 'search' AND m.id NOT IN winner
  AND m.kernel_id IN (SELECT kernel_id FROM measurement GROUP BY kernel_id HAVING count(*) >= 10000)
  AND ((m.median_ms > 1.6 * best AND m.config_id % 4 <> 0)
       OR EXISTS (SELECT 1 FROM measurement f
                  WHERE f.phase = 'final' AND f.status = 'ok' AND f.config_id = m.config_id
                    AND f.kernel_id = m.kernel_id AND f.problem_id = m.problem_id
                    AND f.device_id = m.device_id AND f.toolchain_id = m.toolchain_id
                    AND f.timing = m.timing));

DELETE FROM metric WHERE measurement_id IN surplus;
DELETE FROM measurement WHERE id IN surplus;
DELETE FROM config WHERE id NOT IN (SELECT config_id FROM measurement);
DELETE FROM device WHERE id NOT IN (SELECT device_id FROM run);
VACUUM;
