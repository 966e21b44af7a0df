-- The newest measurement of each configuration and baseline under the conditions of the measurement
-- ?1 that has a time and a value of the metric ?2.
SELECT max(id)
FROM temp.comparable_measurement AS same
WHERE base_id = ?1 AND status = 'ok'
  AND EXISTS (SELECT 1 FROM metric
              WHERE measurement_id = same.id AND name = ?2 AND value IS NOT NULL)
GROUP BY config_id, label
