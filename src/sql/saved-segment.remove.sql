-- The segment.
delete from segment
where id = @id
