delete from funnel_day
where day >= @day
