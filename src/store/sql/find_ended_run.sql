-- The ended run of one key and space: for time the one whose winner is the fastest, else the newest. Excludes runs in whose search a
-- worker sent an impossible reply, ?7: they lack that configuration.
SELECT id
FROM ended_run AS ended
WHERE kernel_id = ?1 AND problem_id = ?2 AND device_id = ?3 AND toolchain_id = ?4
  AND timing = ?5 AND space_signature = ?6
  AND NOT EXISTS (
    SELECT 1 FROM measurement AS lie
    WHERE lie.kernel_id = ended.kernel_id AND lie.problem_id = ended.problem_id
      AND lie.device_id = ended.device_id AND lie.toolchain_id = ended.toolchain_id
      AND lie.timing = ended.timing AND lie.phase = 'search' AND lie.run_id = ended.id
      AND lie.status = 'crashed' AND instr(lie.reason, ?7) = 1)
ORDER BY CASE objective WHEN 'time' THEN median_ms END, id DESC
LIMIT 1
