-- Lets go of sessions that were over when the day began.
delete from temp.chosen_session
where ended_at < @start
