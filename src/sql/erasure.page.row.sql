delete from page
where id = @id
