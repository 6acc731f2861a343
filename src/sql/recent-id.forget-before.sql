delete from recent_id
where id < @before
