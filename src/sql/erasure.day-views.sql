insert into temp.erased_view (id)
select id
from view
where id >= @first_view_id
  and id < @next_view_id
