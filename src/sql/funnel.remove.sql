-- The funnel with its stored days.
delete from funnel
where id = @id
