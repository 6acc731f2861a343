insert into page (path)
values (@path)
returning id
