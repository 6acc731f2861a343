-- Adds a page without any views.
insert into page (path)
values (@page)
on conflict (path) do nothing
