-- The goal with its stored days.
delete from goal
where id = @id
