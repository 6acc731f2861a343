delete from installation
where name = @name
