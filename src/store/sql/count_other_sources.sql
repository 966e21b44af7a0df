-- Counts the winners of the kernel's name, ?2, whose source or spec is not that of its row, ?1.
-- ?3 and ?4 are as in select_speeds.sql.
SELECT count(*)
FROM winner
CROSS JOIN measurement AS m ON m.id = winner.measurement_id
JOIN kernel ON kernel.id = winner.kernel_id
JOIN device ON device.id = winner.device_id
WHERE coalesce(device.name = ?4 COLLATE NOCASE, 1) AND {of_problem}
  AND kernel.name = ?2 AND kernel.id <> ?1
