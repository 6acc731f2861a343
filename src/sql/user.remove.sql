-- A user; what belongs to them goes along.
delete from user
where id = @id
