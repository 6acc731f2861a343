-- A past month that has days and is not summed up, all of its days being derived.
select distinct day / 100 * 100 as month
from site_day
where day < @current
  and day / 100 * 100 not in (select month from rolled_month)
  and day / 100 * 100 not in (select day / 100 * 100 from dirty_day)
order by month
