-- The name of a host without pages.
delete from host
where name = @value
