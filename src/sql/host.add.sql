insert into host (name)
values (@name)
returning id
