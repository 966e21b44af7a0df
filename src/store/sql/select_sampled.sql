-- The newest measurement of each configuration under the conditions of the measurement ?1 that has a time and a profile
-- of source lines.
SELECT max(id)
FROM temp.comparable_measurement AS same
WHERE base_id = ?1 AND status = 'ok' AND label = ''
  AND EXISTS (SELECT 1 FROM line_profile WHERE measurement_id = same.id AND samples > 0)
GROUP BY config_id
