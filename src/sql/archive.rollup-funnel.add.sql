insert into new_funnel_day (day, stage, sessions)
values (@period, @stage, @sessions)
