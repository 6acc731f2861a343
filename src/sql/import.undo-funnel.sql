-- How far visits came in funnels on the day.
delete from funnel_step_day
where day = @day
