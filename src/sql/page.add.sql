insert into page (path, host_id)
values (@path, @host_id)
returning id
