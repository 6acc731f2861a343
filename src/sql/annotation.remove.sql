-- The annotation.
delete from annotation
where id = @id
