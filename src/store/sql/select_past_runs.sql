-- The runs on the device and problem of the measurement ?1, of any source and spec of its kernel's
-- name, the oldest first. A run that has not ended, or has no right winner, has no winning time.
SELECT run.id, run.device_id, run.toolchain_id, run.kernel_id, run.problem_id, run.timing,
       run.started, run.finished, run.strategy, run.budget,
       run.command_line, run.seed, run.flops, run.bytes,
       run.kernel_id = base.kernel_id, run.whole_space, kernel.source_hash, kernel.spec_hash,
       toolchain.driver, toolchain.runtime, toolchain.nvrtc, toolchain.cupti, toolchain.gtune,
       ended.winner_id, ended.median_ms
FROM measurement AS base
JOIN kernel AS own ON own.id = base.kernel_id
JOIN kernel ON kernel.name = own.name
JOIN run ON run.kernel_id = kernel.id AND run.problem_id = base.problem_id
        AND run.device_id = base.device_id
JOIN toolchain ON toolchain.id = run.toolchain_id
LEFT JOIN ended_run AS ended ON ended.id = run.id AND ended.objective = 'time'
WHERE base.id = ?1
ORDER BY run.started, run.id
