-- A page of one host, or with null of every host.
insert into temp.target (id)
select id
from page
where path = @value
  and (@host is null or host_id = (select id from host where name = @host))
