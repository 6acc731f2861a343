-- Takes a day's rows to hand as they are kept.
insert into new_funnel_day (day, stage, sessions)
select day, stage, sessions
from funnel_day
where day = @period
