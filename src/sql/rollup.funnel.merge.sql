-- Adds what was derived.
insert into funnel_day (day, stage, sessions)
select day, stage, sum(sessions)
from new_funnel_day
group by day, stage
on conflict (day, stage) do update
set sessions = sessions + excluded.sessions
