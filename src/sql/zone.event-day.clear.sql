delete from event_day
where day >= @day
