-- gtune's database, version 3: where in its source a measured kernel waits.

CREATE TABLE line_profile (
  measurement_id INTEGER PRIMARY KEY REFERENCES measurement (id),
  samples        INTEGER,        -- of the kernel's instructions; NULL where none could be taken
  reason         TEXT NOT NULL,  -- why there are none
  profile        TEXT NOT NULL   -- JSON, see model/line_profile.hpp; '' where there is none
) STRICT;
