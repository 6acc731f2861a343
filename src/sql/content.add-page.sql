-- A page that nobody has seen yet.
insert into page (path)
values (@page)
on conflict (path) do nothing
