-- The newest measurement of each baseline under the conditions of the measurement ?1.
SELECT max(id)
FROM temp.comparable_measurement
WHERE base_id = ?1 AND phase = 'baseline'
GROUP BY label
