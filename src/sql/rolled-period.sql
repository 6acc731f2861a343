-- name: days
-- One day before today that longer periods consist of. A day may have only events.
select day
from site_day
where day < @today
union
select period
from event_rollup
where period < @today
  and period % 100 > 0

-- name: list
-- One longer period that is summed.
select period
from rolled_period
where complete

-- name: begin
-- Not for a period with a day that was marked in the meantime: sums of its parts may still hold what was erased.
insert into rolled_period (period, first_day, last_day, complete)
select @period, @first_day, @last_day, 0
where not exists (select 1 from dirty_day where day between @first_day and @last_day)
on conflict (period) do nothing

-- name: complete
update rolled_period
set complete = 1
where period = @period

-- name: remove
delete from rolled_period
where period in (select value from json_each(@periods))
