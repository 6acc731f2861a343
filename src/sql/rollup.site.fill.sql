-- The totals of one day: views, visitors and seconds of its views; sessions and bounces of the sessions that began on it.
insert into new_site_day (day, visitors, sessions, views, bounces, seconds)
select @day, @sign * v.visitors, @sign * s.sessions, @sign * v.views, @sign * s.bounces, @sign * v.seconds
from (
  select count(distinct visitor_id) as visitors,
    count(*) as views,
    ifnull(sum(seconds), 0) as seconds
  from day_view
) v
join (
  select count(*) as sessions,
    count(*) filter (where views = 1 and events = 0) as bounces
  from day_session
  where started_at >= @start
    and started_at < @end
) s
where v.views > 0
  or s.sessions > 0
