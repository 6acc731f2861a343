-- Sessions that nothing can join any more.
delete from recent_session
where ended_at < @second
