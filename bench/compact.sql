-- Makes a copy of a database small enough to be bundled. Of kernels with 10,000 measurements or more, it leaves out
--   - of a configuration measured twice for a problem, the earlier one; of a search and a final, the search if the
--     final is within 1.02 times the best, else the final, whose samples take the most space
--   - 31 of 32 of those that exports hardly need: of a configuration that was measured for fewer than 20 problems, on a
--     problem without metrics, or slower than 1.05 times the best. Without those that stay, expected times of bad
--     configurations would be too good. Their times choose them, so compacting again leaves out hardly any more
--   - of what is slower than the best, three of four from 1.2 times its time on, seven of eight from 2 times on; of
--     finals, which have more samples, half from 1.1 times on
-- Of runs that measured every configuration named to them, doubles are left out and half of what is slower than 1.3
-- times the best. The rest stays: no search chose it, so it shows best which configurations are bad.
-- If several GPUs of a model measured a problem, baselines and configurations that more than one of them measured stay
-- only on the one that answers: gtune explain compares measurements of one GPU.
-- Measurements with metrics or source lines stay. Of what is neither these nor a winner, only the median stays, without
-- samples or how long compiling and measuring took. Long command lines are cut.
-- Usage: sqlite3 COPY.db < bench/compact.sql

CREATE TEMP TABLE needed AS
SELECT winner_id AS id FROM result WHERE winner_id IS NOT NULL
UNION
SELECT measurement_id FROM metric
UNION
SELECT measurement_id FROM line_profile;

CREATE TEMP TABLE explained AS
SELECT DISTINCT problem_id FROM measurement WHERE id IN (SELECT measurement_id FROM metric);

CREATE TEMP TABLE large AS
SELECT kernel_id FROM measurement GROUP BY kernel_id HAVING count(*) >= 10000;

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
WITH candidate AS (
  SELECT m.*, best.ms AS best_ms, spread.problems,
         CAST(round(m.median_ms * 1e6) AS INTEGER) / 64 AS draw  -- most times are multiples of 32 or 64 ns
  FROM measurement m
  JOIN large USING (kernel_id)
  JOIN best USING (kernel_id, problem_id, device_id)
  LEFT JOIN spread USING (kernel_id, config_id)
  WHERE m.id NOT IN needed),
slow AS (
  SELECT id FROM candidate
  WHERE CASE WHEN run_id IN (SELECT id FROM run WHERE strategy = 'exhaustive')
    THEN draw % 2 <> 0 AND median_ms > 1.3 * best_ms
    ELSE (draw % 32 <> 0 AND problems < 20 AND problem_id NOT IN explained)
     OR (phase = 'search' AND draw % 32 <> 0 AND problems < 20 AND median_ms > 1.05 * best_ms)
     OR (phase = 'final' AND draw % 2 <> 0 AND median_ms > 1.1 * best_ms)
     OR (draw % 4 <> 0 AND median_ms > 1.2 * best_ms)
     OR (draw % 8 <> 0 AND median_ms > 2 * best_ms)
    END)
SELECT id FROM slow
UNION
SELECT m.id
FROM candidate m
JOIN measurement other
  ON other.kernel_id = m.kernel_id AND other.problem_id = m.problem_id AND other.device_id = m.device_id
 AND other.toolchain_id = m.toolchain_id AND other.timing = m.timing AND other.config_id = m.config_id
 AND other.label = m.label AND other.id <> m.id
WHERE other.status = 'ok' AND other.id NOT IN slow
  AND CASE WHEN other.phase = m.phase THEN other.id > m.id
           WHEN m.phase = 'search' THEN other.median_ms <= 1.02 * m.best_ms
           WHEN m.phase = 'final' THEN m.median_ms > 1.02 * m.best_ms
      END;

-- The best of each GPU: a run over the whole space comes before a narrowed one.
CREATE TEMP TABLE own_best AS
SELECT r.kernel_id, r.problem_id, r.timing, device.name, device.replayed, r.device_id, min(m.median_ms) AS ms
FROM result
JOIN run r ON r.id = result.run_id AND r.objective = 'time'
JOIN measurement m ON m.id = result.winner_id
JOIN device ON device.id = r.device_id
WHERE r.whole_space = (
  SELECT max(other.whole_space)
  FROM result other_result
  JOIN run other ON other.id = other_result.run_id
  WHERE other_result.winner_id IS NOT NULL AND other.objective = 'time' AND other.timing = r.timing
    AND other.kernel_id = r.kernel_id AND other.problem_id = r.problem_id AND other.device_id = r.device_id)
GROUP BY r.kernel_id, r.problem_id, r.timing, r.device_id;

-- The GPU that answers for its model, the fastest. SQLite takes device_id from the row that has the least ms.
CREATE TEMP TABLE home AS
SELECT kernel_id, problem_id, timing, name, replayed, device_id, min(ms)
FROM own_best
GROUP BY kernel_id, problem_id, timing, name, replayed;

INSERT INTO surplus
SELECT m.id
FROM measurement m
JOIN device ON device.id = m.device_id
JOIN home ON home.kernel_id = m.kernel_id AND home.problem_id = m.problem_id AND home.timing = m.timing
         AND home.name = device.name AND home.replayed = device.replayed
WHERE m.device_id <> home.device_id AND m.id NOT IN needed AND m.id NOT IN surplus AND m.status = 'ok'
  AND EXISTS (
    SELECT 1
    FROM measurement other
    WHERE other.kernel_id = m.kernel_id AND other.problem_id = m.problem_id AND other.device_id = home.device_id
      AND other.toolchain_id = m.toolchain_id AND other.timing = m.timing AND other.config_id = m.config_id
      AND other.label = m.label AND other.status = 'ok' AND (other.phase = 'baseline') = (m.phase = 'baseline')
      AND other.id NOT IN surplus);

DELETE FROM metric WHERE measurement_id IN surplus;
DELETE FROM line_profile WHERE measurement_id IN surplus;
DELETE FROM measurement WHERE id IN surplus;
DELETE FROM run WHERE id NOT IN (SELECT run_id FROM measurement) AND id NOT IN (SELECT run_id FROM result);
DELETE FROM config WHERE id NOT IN (SELECT config_id FROM measurement);
DELETE FROM device WHERE id NOT IN (SELECT device_id FROM run) AND id NOT IN (SELECT device_id FROM measurement);
UPDATE measurement
SET samples_ms = x'', min_ms = NULL, p95_ms = NULL, mean_ms = NULL, ci_low_ms = NULL, ci_high_ms = NULL,
    compile_ms = NULL, gpu_ms = NULL
WHERE samples_ms IS NOT NULL AND id NOT IN needed;
UPDATE run SET command_line = substr(command_line, 1, 50) || ' ...' WHERE length(command_line) > 60;
VACUUM;
