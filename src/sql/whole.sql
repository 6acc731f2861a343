-- name: archive.day-raw
-- Numbers of views and events in a time span.
select (
    select count(*)
    from view
    where id >= @first_view_id
      and id < @next_view_id
  ) as views, (
    select count(*)
    from event
    where id >= @first_view_id
      and id < @next_view_id
  ) as events

-- name: archive.first-raw
-- The time of the first view or event in seconds; null if there is none.
select min(second) as second
from (
  select min(id) / 1048576 as second
  from view
  union all
  select min(id) / 1048576
  from event
)

-- name: archive.first-day
-- The first day that has rollups.
select min(day) as day
from (
  select min(day) as day
  from site_day
  union all
  select min(period)
  from event_rollup
  where period % 100 > 0
)

-- name: archive.days
-- The days that have any data.
select day
from (
  select day
  from site_day
  union
  select period
  from event_rollup
  where period % 100 > 0
  union
  select day
  from ledger
  union
  select day
  from dirty_day
)
where day between @from and @to
order by day
