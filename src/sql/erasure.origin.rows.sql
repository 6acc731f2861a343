delete from origin
where domain = @domain
