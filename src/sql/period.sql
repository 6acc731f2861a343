-- name: clear
delete from temp.period

-- name: fill
insert into temp.period (period)
select value
from json_each(@periods)

-- name: rolled-period.within
-- The summed periods within a range; the longest first of those that begin on the same day.
select period, first_day, last_day
from rolled_period
where first_day >= @from
  and last_day <= @to
  and complete
order by first_day, last_day desc

-- name: tables
-- The periods that cover the range of a report.
create temp table if not exists period (period integer primary key)
