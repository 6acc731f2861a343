-- The views of one minute; a minute is a whole one of the clock.
select id / 62914560 as minute, count(*) as views
from view
where id >= @first_view_id
  and id < @next_view_id
group by minute
order by minute
