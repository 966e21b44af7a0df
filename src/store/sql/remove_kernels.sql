-- Removes the kernels of temp.old_kernel, all rows that belong to them, and the configurations and
-- problems that nothing refers to afterwards.
DELETE FROM result WHERE run_id IN (SELECT id FROM run WHERE kernel_id IN old_kernel);
DELETE FROM metric WHERE measurement_id IN (
  SELECT id FROM measurement WHERE kernel_id IN old_kernel);
DELETE FROM line_profile WHERE measurement_id IN (
  SELECT id FROM measurement WHERE kernel_id IN old_kernel);
DELETE FROM measurement WHERE kernel_id IN old_kernel;
DELETE FROM run WHERE kernel_id IN old_kernel;
DELETE FROM kernel WHERE id IN old_kernel;
DELETE FROM config WHERE id NOT IN (SELECT config_id FROM measurement);
DELETE FROM problem WHERE id NOT IN (
  SELECT problem_id FROM measurement UNION SELECT problem_id FROM run);
DROP TABLE old_kernel;
