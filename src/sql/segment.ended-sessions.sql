-- Removes the sessions that ended before the day began.
delete from temp.selected_session
where ended_at < @start
