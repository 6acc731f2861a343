-- name: purge.property-days
delete from event_property_rollup
where (period, name_id, key_id, value_id) in (
  select period, name_id, key_id, value_id
  from event_property_rollup
  where period < @first
    and period % 100 > 0
  limit @bite
)

-- name: purge.titles
-- A page keeps the days of its present title, so that an archive brings this title with it.
delete from title_day
where (page_id, day, title_id) in (
  select t.page_id, t.day, t.title_id
  from title_day t
  join page p on p.id = t.page_id
  where t.day < @first
    and t.title_id is not p.title_id
  limit @bite
)

-- name: purge.property-period
delete from event_property_rollup
where period = @period

-- name: purge.property-periods
delete from event_property_rollup
where (period, name_id, key_id, value_id) in (
  select period, name_id, key_id, value_id
  from event_property_rollup
  where period in (select value from json_each(@periods))
  limit @bite
)

-- name: rolled-period.begun-before
-- The periods with sums that began before a day, and whether they reach it.
select period, last_day >= @first as reaches
from rolled_period
where first_day < @first
