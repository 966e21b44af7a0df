-- The views by which gtune answers. Each connection creates them anew in its temp schema, where
-- they hide views of the same name in the file: those may be another program's, and those of an
-- older gtune accept impossible times. Each qualifies the file's tables with `main` and the
-- connection's views with `temp`. {shortest_ms} and {longest_ms} come from
-- model/possible_measurement.hpp.

-- Configurations that any run saw wrong under one toolchain, in whatever timing mode. A
-- baseline is another kernel: a wrong one says nothing about the configuration it is launched with.
CREATE TEMP VIEW seen_wrong AS
SELECT id AS measurement_id, kernel_id, problem_id, device_id, toolchain_id, config_id
FROM main.measurement
WHERE status = 'wrong_result' AND phase <> 'baseline';

-- Measurements that may answer: of the kernel itself, not a baseline, never seen wrong, and with a
-- possible time, as far as SQL can tell without reading the samples. The + keeps these bounds,
-- which nearly every row meets, from deciding which index is used.
CREATE TEMP VIEW right_measurement AS
SELECT m.*
FROM main.measurement AS m
WHERE m.status = 'ok' AND m.phase <> 'baseline' AND m.samples_ms IS NOT NULL
  AND +m.median_ms BETWEEN {shortest_ms} AND {longest_ms}
  AND coalesce(m.min_ms, m.median_ms) BETWEEN {shortest_ms} AND m.median_ms
  AND NOT EXISTS (
    SELECT 1 FROM temp.seen_wrong AS wrong
    WHERE wrong.kernel_id = m.kernel_id AND wrong.problem_id = m.problem_id
      AND wrong.device_id = m.device_id AND wrong.toolchain_id = m.toolchain_id
      AND wrong.config_id = m.config_id);

-- Every measurement beside each one, `base`, that was made under the same conditions, itself included.
CREATE TEMP VIEW comparable_measurement AS
SELECT base.id AS base_id, base.config_id AS base_config_id, base.label AS base_label, same.*
FROM main.measurement AS base
JOIN main.measurement AS same
  ON same.kernel_id = base.kernel_id AND same.problem_id = base.problem_id
 AND same.device_id = base.device_id AND same.toolchain_id = base.toolchain_id
 AND same.timing = base.timing;

-- The kernels, ranked within each name: place 1 is the current source and spec, the one used last.
-- Imported T4 results have no known source and come last.
CREATE TEMP VIEW ranked_kernel AS
SELECT kernel.*, row_number() OVER (PARTITION BY name ORDER BY {current_first}) AS place
FROM main.kernel;

-- The toolchain whose times count on a device: its current one. A device can have none after an
-- import; then the newest that measured on it counts.
CREATE TEMP VIEW current_toolchain AS
SELECT id AS device_id,
       coalesce(toolchain_id,
                (SELECT max(run.toolchain_id) FROM main.run WHERE run.device_id = device.id))
         AS toolchain_id
FROM main.device;

-- The timing modes whose times may answer. `gtune query --timing` leaves one.
CREATE TEMP VIEW asked_timing AS SELECT DISTINCT timing FROM main.run;

-- The runs that ended with a right winner, by whatever objective.
CREATE TEMP VIEW ended_run AS
SELECT run.id, run.kernel_id, run.problem_id, run.device_id, run.toolchain_id, run.timing,
       run.objective, run.whole_space, run.space_signature, run.finished, result.winner_id, result.verified,
       m.median_ms
FROM main.result
JOIN main.run ON run.id = result.run_id
JOIN temp.right_measurement AS m ON m.id = result.winner_id;

-- If no run for time has ended with a right winner: the fastest so far of the newest run that is
-- going, was interrupted or was for energy; measurement_id is NULL if it has no measurement that may answer.
CREATE TEMP VIEW fastest_so_far AS
WITH newest AS (
  SELECT kernel_id, problem_id, device_id, max(id) AS id
  FROM main.run
  WHERE run.objective <> 'time' OR NOT EXISTS (SELECT 1 FROM main.result WHERE run_id = run.id)
  GROUP BY kernel_id, problem_id, device_id)
SELECT newest.kernel_id, newest.problem_id, newest.device_id, NULL AS ended_run_id,
       'not recorded' AS verified,
       (SELECT m.id
        FROM main.run
        JOIN temp.right_measurement AS m
          ON m.kernel_id = run.kernel_id AND m.problem_id = run.problem_id
         AND m.device_id = run.device_id AND m.toolchain_id = run.toolchain_id
         AND m.timing = run.timing
        WHERE run.id = newest.id AND run.timing IN (SELECT timing FROM temp.asked_timing)
        ORDER BY m.median_ms, m.id
        LIMIT 1) AS measurement_id
FROM newest
WHERE NOT EXISTS (
  SELECT 1 FROM temp.ended_run AS ended
  WHERE ended.objective = 'time' AND ended.kernel_id = newest.kernel_id
    AND ended.problem_id = newest.problem_id AND ended.device_id = newest.device_id);

-- The best of each kernel, device and problem: the fastest winner of the ended runs for time, cold before warm
-- before other timing modes, whole space before narrowed, the device's current toolchain before
-- others; else the fastest so far.
CREATE TEMP VIEW winner AS
SELECT kernel_id, problem_id, device_id, id AS ended_run_id, verified, winner_id AS measurement_id
FROM (
  SELECT ended.*, row_number() OVER (
           PARTITION BY ended.kernel_id, ended.problem_id, ended.device_id
           ORDER BY ended.timing <> 'cold', ended.timing <> 'warm', ended.timing,
                    ended.whole_space DESC,
                    ended.toolchain_id IS device.toolchain_id DESC, ended.toolchain_id DESC,
                    ended.median_ms, ended.id DESC) AS place
  FROM temp.ended_run AS ended
  JOIN main.device ON device.id = ended.device_id
  WHERE ended.objective = 'time' AND ended.timing IN (SELECT timing FROM temp.asked_timing))
WHERE place = 1
UNION ALL
SELECT * FROM temp.fastest_so_far;

-- Speeds. The work comes from any run of the kernel on the problem, since it is the same for all
-- and a measurement's own run may be on another problem.
CREATE TEMP VIEW speed AS
SELECT m.id AS measurement_id,
       (SELECT flops FROM main.run
        WHERE run.kernel_id = m.kernel_id AND run.problem_id = m.problem_id AND flops BETWEEN 1 AND {most_work}
        LIMIT 1) / (m.median_ms * 1e6) AS gflops,
       (SELECT bytes FROM main.run
        WHERE run.kernel_id = m.kernel_id AND run.problem_id = m.problem_id AND bytes BETWEEN 1 AND {most_work}
        LIMIT 1) / (m.median_ms * 1e6) AS gbps
FROM main.measurement AS m;
