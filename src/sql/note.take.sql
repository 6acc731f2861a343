-- The note, which is gone by now.
delete from installation
where name = @name
returning value
