-- Makes a copy of a database small enough to be bundled. Of kernels with 5,000 measurements or more, it leaves out
--   - measurements that a later or a final one repeats, if they have no metrics
--   - of what searches measured, 15 of 16 of those that exports hardly need: slower than 1.05 times the best, of a
--     configuration that was measured for fewer than 20 problems. Without those that stay, expected times of bad
--     configurations would be too good
--   - of finals, three of four that are slower than 1.6 times the best
-- Long command lines are cut.
-- Usage: sqlite3 COPY.db < bench/compact.sql

CREATE TEMP TABLE needed AS
SELECT winner_id AS id FROM result WHERE winner_id IS NOT NULL
UNION
SELECT measurement_id FROM metric
UNION
SELECT measurement_id FROM line_profile;

CREATE TEMP TABLE large AS
SELECT kernel_id FROM measurement GROUP BY kernel_id HAVING count(*) >= 5000;

CREATE TEMP TABLE best AS
SELECT kernel_id, problem_id, device_id, min(median_ms) AS ms
FROM measurement
WHERE status = 'ok' AND phase <> 'baseline'
GROUP BY kernel_id, problem_id, device_id;

CREATE TEMP TABLE spread AS
SELECT kernel_id, config_id, count(DISTINCT problem_id) AS problems
FROM measurement
WHERE status = 'ok' AND phase <> 'baseline'
GROUP BY kernel_id, config_id;

CREATE TEMP TABLE surplus AS
SELECT m.id
FROM measurement m
JOIN large USING (kernel_id)
JOIN best USING (kernel_id, problem_id, device_id)
JOIN spread USING (kernel_id, config_id)
WHERE m.id NOT IN needed
  AND ((m.phase = 'search' AND m.config_id % 16 <> 0 AND m.median_ms > 1.05 * best.ms AND spread.problems < 20)
       OR (m.phase = 'final' AND m.config_id % 4 <> 0 AND m.median_ms > 1.6 * best.ms))
UNION
SELECT m.id
FROM measurement m
JOIN large USING (kernel_id)
JOIN measurement f
  ON f.kernel_id = m.kernel_id AND f.problem_id = m.problem_id AND f.device_id = m.device_id
 AND f.toolchain_id = m.toolchain_id AND f.timing = m.timing AND f.config_id = m.config_id AND f.label = m.label
WHERE m.id NOT IN needed AND f.status = 'ok'
  AND ((f.phase = m.phase AND f.id > m.id) OR (f.phase = 'final' AND m.phase = 'search'));

DELETE FROM metric WHERE measurement_id IN surplus;
DELETE FROM line_profile WHERE measurement_id IN surplus;
DELETE FROM measurement WHERE id IN surplus;
DELETE FROM config WHERE id NOT IN (SELECT config_id FROM measurement);
DELETE FROM device WHERE id NOT IN (SELECT device_id FROM run);
UPDATE run SET command_line = substr(command_line, 1, 300) || ' ...' WHERE length(command_line) > 310;
VACUUM;
