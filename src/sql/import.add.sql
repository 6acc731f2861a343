-- Takes the next number of the archives' origins.
insert into import (
  format, fingerprint, origin, source_timezone, grain, first_day, last_day, rows, refused, started_at, notes
)
select @format, @fingerprint, max(number), @source_timezone, @grain, @first_day, @last_day, @rows, @refused, @started_at,
  @notes
from archive_origin
returning id, origin
