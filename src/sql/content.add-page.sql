-- Adds a page without any views; without a host only if no host has the page.
insert into page (path, host_id)
select @page, ifnull((select id from host where name = @host), 0)
where @host <> ''
  or not exists (select 1 from page where path = @page)
on conflict (path, host_id) do nothing
