-- A page without views.
insert into page (path)
values (@page)
on conflict (path) do nothing
