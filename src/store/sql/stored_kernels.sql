SELECT id, name, source_hash, spec_hash, last_used, place = 1,
       (SELECT count(*) FROM run WHERE kernel_id = kernel.id),
       (SELECT count(*) FROM run WHERE kernel_id = kernel.id AND finished IS NULL),
       (SELECT count(DISTINCT problem_id) FROM run WHERE kernel_id = kernel.id),
       (SELECT count(*) FROM measurement WHERE kernel_id = kernel.id)
FROM ranked_kernel AS kernel
ORDER BY name, place
