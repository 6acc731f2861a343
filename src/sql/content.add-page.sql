-- Adds a page without any views. One whose host is not known stands for those of all hosts.
insert into page (path, host_id)
select @page, id
from host
where name = @host
  and (@host <> '' or not exists (select 1 from page where path = @page))
on conflict (path, host_id) do nothing
