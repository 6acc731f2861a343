-- A page of an unknown host that reports name like a page of the only known host, and that page.
select p.id, q.id as same
from page p
join page q on q.path = p.path and q.id <> p.id
where p.host_id in (select id from host where name = '')
  and (select count(*) from host where name <> '') < 2
