delete from event_page_day
where day >= @day
