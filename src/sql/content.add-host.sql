insert into host (name)
values (@host)
on conflict (name) do nothing
