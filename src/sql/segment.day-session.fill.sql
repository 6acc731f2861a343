-- Sessions that began on the day.
insert into temp.selected_session
select *
from temp.fitting_session
where started_at >= @start
  and started_at < @end
