-- name: begin
-- Where counting began: the first day with figures, its first hour that has any (null where hours are not known), and the
-- first day with an order.
with counted as (
  select min(day) as day
  from (
    select min(day) as day
    from site_day
    union all
    select min(period)
    from event_rollup
    where period % 100 > 0
  )
)
select day, (
    select min(hour)
    from hour_day
    where day = counted.day
      and views + visitors > 0
  ) as hour, (
    select min(period)
    from revenue_period
    where kind = 'channel'
      and period % 100 > 0
  ) as order_day
from counted
