update import
set finished_at = @at
where id = @id
