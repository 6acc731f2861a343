-- Sessions that were under way when the day began; those of more than six hours have an index of their own.
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
