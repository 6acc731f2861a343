-- The totals of one hour, counted from the day's first second. Large numbers are bound as reals, hence the casts.
insert into new_hour_day (day, hour, visitors, sessions, views, bounces, seconds)
select @day, hour,
  @sign * sum(visitors), @sign * sum(sessions), @sign * sum(views), @sign * sum(bounces), @sign * sum(seconds)
from (
  select (id / 1048576 - cast(@day_start as integer)) / 3600 as hour,
    count(distinct visitor_id) as visitors,
    0 as sessions,
    count(*) as views,
    0 as bounces,
    ifnull(sum(seconds), 0) as seconds
  from day_view
  group by hour
  union all
  select (started_at - cast(@day_start as integer)) / 3600 as hour,
    0,
    count(*),
    0,
    count(*) filter (where views = 1 and events = 0),
    0
  from day_session
  where started_at >= @start
    and started_at < @end
  group by hour
)
group by hour
