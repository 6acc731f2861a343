-- Sessions that were active when the day began; a separate index covers those longer than six hours.
insert into temp.selected_session
select *
from temp.fitting_session
where started_at >= @start - 21600
  and started_at < @start
  and ended_at >= @start
union all
select *
from temp.fitting_session
where ended_at - started_at > 21600
  and ended_at >= @start
  and started_at < @start - 21600
