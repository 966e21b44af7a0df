-- The newest measurement `same` under the conditions of the measurement ?1 that meets {condition}. The
-- terms of {first} rank before newness.
SELECT same.id
FROM temp.comparable_measurement AS same
WHERE same.base_id = ?1 AND {condition}
ORDER BY {first}, same.id DESC
LIMIT 1
