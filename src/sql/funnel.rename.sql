-- The funnel with another name.
update funnel
set name = @name
where id = @id
