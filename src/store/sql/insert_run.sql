INSERT INTO run (device_id, toolchain_id, kernel_id, problem_id, timing, objective, flops, bytes,
                 strategy, budget, seed, command_line, space_signature, whole_space, pid)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
RETURNING id
