delete from event_property_day
where day >= @day
