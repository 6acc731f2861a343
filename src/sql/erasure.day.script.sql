-- The views and events of a day; the target is the span of their ids.
insert into temp.erased_view (id)
select v.id
from temp.target t
cross join view v on v.id >= t.id and v.id < t.next_id;

insert into temp.erased_event (id)
select e.id
from temp.target t
cross join event e on e.id >= t.id and e.id < t.next_id;
