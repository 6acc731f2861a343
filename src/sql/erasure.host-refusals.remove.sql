delete from foreign_host_day
where host = @value
