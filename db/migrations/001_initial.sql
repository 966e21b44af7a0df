-- gtune's database, version 1. Times are ISO-8601 in UTC with milliseconds. Lists and sets of
-- names are JSON. A number that is not a number (NaN) is NULL.

CREATE TABLE toolchain (
  id      INTEGER PRIMARY KEY,
  driver  TEXT NOT NULL,
  runtime TEXT NOT NULL,
  nvrtc   TEXT NOT NULL,
  cupti   TEXT NOT NULL,  -- '' where there is none
  gtune   TEXT NOT NULL,
  UNIQUE (driver, runtime, nvrtc, cupti, gtune)
) STRICT;

CREATE TABLE device (
  id                   INTEGER PRIMARY KEY,
  name                 TEXT NOT NULL,
  uuid                 TEXT NOT NULL,
  replayed             INTEGER NOT NULL CHECK (replayed IN (0, 1)),  -- 1: a recording, no GPU
  compute_capability   INTEGER NOT NULL,                             -- 90 is 9.0
  sm_count             INTEGER NOT NULL,
  l2_bytes             INTEGER NOT NULL,
  memory_bytes         INTEGER NOT NULL,
  max_sm_clock_mhz     INTEGER NOT NULL,
  max_memory_clock_mhz INTEGER NOT NULL,
  facts                TEXT NOT NULL,  -- JSON: everything known of it
  fma_tflops           REAL,           -- limits measured on it, NULL until then
  dram_gbps            REAL,
  toolchain_id         INTEGER REFERENCES toolchain (id),  -- the one used on it last
  UNIQUE (uuid, replayed)
) STRICT;

-- One row per source and spec ever run; the one used last is the current one of its name.
CREATE TABLE kernel (
  id              INTEGER PRIMARY KEY,
  name            TEXT NOT NULL,
  source_hash     TEXT NOT NULL,
  spec_hash       TEXT NOT NULL,
  problem_names   TEXT NOT NULL,  -- JSON array, in the spec's order
  parameter_names TEXT NOT NULL,
  first_used      TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  last_used       TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  UNIQUE (name, source_hash, spec_hash, problem_names, parameter_names)
) STRICT;

CREATE TABLE problem (
  id     INTEGER PRIMARY KEY,
  kernel TEXT NOT NULL,  -- name
  sizes  TEXT NOT NULL,  -- JSON object with sorted keys
  UNIQUE (kernel, sizes)
) STRICT;

CREATE TABLE config (
  id     INTEGER PRIMARY KEY,
  kernel TEXT NOT NULL,  -- name
  params TEXT NOT NULL,  -- JSON object with sorted keys
  UNIQUE (kernel, params)
) STRICT;

CREATE TABLE run (
  id              INTEGER PRIMARY KEY,
  started         TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  finished        TEXT,  -- NULL: still going, or interrupted
  device_id       INTEGER NOT NULL REFERENCES device (id),
  toolchain_id    INTEGER NOT NULL REFERENCES toolchain (id),
  kernel_id       INTEGER NOT NULL REFERENCES kernel (id),
  problem_id      INTEGER NOT NULL REFERENCES problem (id),
  l2_flushed      INTEGER NOT NULL CHECK (l2_flushed IN (0, 1)),
  flops           REAL,  -- work of one launch, NULL where the spec does not say
  bytes           REAL,
  strategy        TEXT NOT NULL,
  budget          TEXT NOT NULL,
  seed            TEXT NOT NULL,  -- decimal: it may need all 64 bits, unsigned
  command_line    TEXT NOT NULL,
  space_signature TEXT NOT NULL,
  whole_space     INTEGER NOT NULL CHECK (whole_space IN (0, 1)),  -- 0: narrowed by hand
  pid             INTEGER NOT NULL
) STRICT;

CREATE INDEX run_by_key ON run (kernel_id, problem_id, device_id);

CREATE TABLE measurement (
  id                    INTEGER PRIMARY KEY,
  run_id                INTEGER NOT NULL REFERENCES run (id),
  device_id             INTEGER NOT NULL REFERENCES device (id),
  toolchain_id          INTEGER NOT NULL REFERENCES toolchain (id),
  kernel_id             INTEGER NOT NULL REFERENCES kernel (id),
  problem_id            INTEGER NOT NULL REFERENCES problem (id),
  config_id             INTEGER NOT NULL REFERENCES config (id),
  l2_flushed            INTEGER NOT NULL CHECK (l2_flushed IN (0, 1)),
  created               TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
  phase                 TEXT NOT NULL,  -- search, final, baseline
  label                 TEXT NOT NULL,  -- baselines: their name
  status                TEXT NOT NULL,  -- ok, compile_error, launch_error, wrong_result, timeout,
                                        -- crashed, pruned
  reason                TEXT NOT NULL,
  max_error             REAL,  -- share of the tolerance; Inf also where it is no number
  compile_ms            REAL,
  gpu_ms                REAL,
  -- What the compiler said; registers is NULL where it did not come to that.
  registers             INTEGER,
  stack_bytes           INTEGER,
  spill_store_bytes     INTEGER,
  spill_load_bytes      INTEGER,
  static_shared_bytes   INTEGER,
  dynamic_shared_bytes  INTEGER,
  cubin_bytes           INTEGER,
  blocks_per_sm         INTEGER,
  theoretical_occupancy REAL,
  occupancy_limit       TEXT,
  -- What was timed; samples_ms is NULL where nothing was.
  median_ms             REAL,
  min_ms                REAL,
  p95_ms                REAL,
  mean_ms               REAL,
  ci_low_ms             REAL,
  ci_high_ms            REAL,
  sm_clock_mhz          REAL,
  throttled_samples     INTEGER,
  timed_l2_flushed      INTEGER,
  converged             INTEGER,
  discarded_early       INTEGER,
  -- Little-endian float64, back to back: numpy.frombuffer(x, '<f8'). Exact, and half the size of
  -- the digits. The last column, so that the others are read without its pages.
  samples_ms            BLOB
) STRICT;

-- What a run takes over from earlier ones.
CREATE INDEX measurement_by_key ON measurement
  (kernel_id, problem_id, device_id, toolchain_id, l2_flushed, phase, config_id, label);
-- The fastest where no run has ended.
CREATE INDEX measurement_fastest ON measurement
  (kernel_id, problem_id, device_id, toolchain_id, l2_flushed, median_ms)
  WHERE status = 'ok' AND phase <> 'baseline';

-- What is out of the race for good.
CREATE INDEX measurement_wrong ON measurement
  (kernel_id, problem_id, device_id, toolchain_id, config_id)
  WHERE status = 'wrong_result';

CREATE TABLE metric (
  measurement_id INTEGER NOT NULL REFERENCES measurement (id),
  name           TEXT NOT NULL,
  value          REAL,           -- NULL where it could not be had
  unit           TEXT NOT NULL,
  reason         TEXT NOT NULL,  -- why there is no value
  PRIMARY KEY (measurement_id, name)
) STRICT, WITHOUT ROWID;

-- One row per run that ended.
CREATE TABLE result (
  run_id    INTEGER PRIMARY KEY REFERENCES run (id),
  winner_id INTEGER REFERENCES measurement (id),  -- NULL: nothing was valid and correct
  ties      TEXT NOT NULL,  -- JSON array of measurement ids, as good within the noise
  verified  TEXT NOT NULL,  -- passed, not recorded: the check on an awkward problem
  summary   TEXT NOT NULL   -- JSON: tried, reused, by_status, elapsed_s
) STRICT;

-- The runs that ended with a winner. A configuration once seen wrong under the same toolchain is
-- none, whichever run saw it.
CREATE VIEW ended_run AS
SELECT run.id, run.kernel_id, run.problem_id, run.device_id, run.toolchain_id, run.l2_flushed,
       run.whole_space, run.space_signature, run.finished, result.winner_id, result.verified, m.median_ms
FROM result
JOIN run ON run.id = result.run_id
JOIN measurement AS m ON m.id = result.winner_id
WHERE NOT EXISTS (
  SELECT 1 FROM measurement AS wrong
  WHERE wrong.kernel_id = run.kernel_id AND wrong.problem_id = run.problem_id
    AND wrong.device_id = run.device_id AND wrong.toolchain_id = run.toolchain_id
    AND wrong.config_id = m.config_id AND wrong.status = 'wrong_result'
    AND wrong.phase <> 'baseline');

-- The best of each kernel, device and problem: the fastest winner of the ended runs, cold L2
-- before warm, whole space before narrowed, the device's present toolchain before others; where
-- none ended with one, the fastest so far of the newest run that is going or was interrupted.
CREATE VIEW winner AS
WITH
ranked AS (
  SELECT ended.*, row_number() OVER (
           PARTITION BY ended.kernel_id, ended.problem_id, ended.device_id
           ORDER BY ended.l2_flushed DESC, ended.whole_space DESC,
                    ended.toolchain_id IS device.toolchain_id DESC, ended.toolchain_id DESC,
                    ended.median_ms, ended.id DESC) AS place
  FROM ended_run AS ended JOIN device ON device.id = ended.device_id),
newest AS (
  SELECT kernel_id, problem_id, device_id, max(id) AS id
  FROM run
  WHERE NOT EXISTS (SELECT 1 FROM result WHERE run_id = run.id)
  GROUP BY kernel_id, problem_id, device_id)
SELECT kernel_id, problem_id, device_id, id AS ended_run_id, verified, winner_id AS measurement_id
FROM ranked
WHERE place = 1
UNION ALL
SELECT newest.kernel_id, newest.problem_id, newest.device_id, NULL, 'not recorded', (
         SELECT m.id
         FROM run
         JOIN measurement AS m
           ON m.kernel_id = run.kernel_id AND m.problem_id = run.problem_id
          AND m.device_id = run.device_id AND m.toolchain_id = run.toolchain_id
          AND m.l2_flushed = run.l2_flushed
         WHERE run.id = newest.id AND m.status = 'ok' AND m.phase <> 'baseline'
           AND m.median_ms IS NOT NULL
           AND NOT EXISTS (
             SELECT 1 FROM measurement AS wrong
             WHERE wrong.kernel_id = m.kernel_id AND wrong.problem_id = m.problem_id
               AND wrong.device_id = m.device_id AND wrong.toolchain_id = m.toolchain_id
               AND wrong.config_id = m.config_id AND wrong.status = 'wrong_result'
               AND wrong.phase <> 'baseline')
         ORDER BY m.median_ms, m.id
         LIMIT 1)
FROM newest
WHERE NOT EXISTS (
  SELECT 1 FROM ended_run AS ended
  WHERE ended.kernel_id = newest.kernel_id AND ended.problem_id = newest.problem_id
    AND ended.device_id = newest.device_id);

-- Speeds. The work is the same for every run of a kernel on a problem, and a measurement may have
-- been made by a run on another one.
CREATE VIEW speed AS
SELECT m.id AS measurement_id,
       (SELECT flops FROM run
        WHERE run.kernel_id = m.kernel_id AND run.problem_id = m.problem_id AND flops IS NOT NULL
        LIMIT 1) / (m.median_ms * 1e6) AS gflops,
       (SELECT bytes FROM run
        WHERE run.kernel_id = m.kernel_id AND run.problem_id = m.problem_id AND bytes IS NOT NULL
        LIMIT 1) / (m.median_ms * 1e6) AS gbps
FROM measurement AS m;
