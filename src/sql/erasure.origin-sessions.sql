insert into temp.erased_session (id)
select s.id
from session s
join origin o on o.id = s.origin_id
where o.domain = @domain
