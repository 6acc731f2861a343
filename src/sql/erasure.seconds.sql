-- A second in which something lies that goes or changes; from these follow the days to derive anew.
select id / 1048576 as second
from temp.erased_view
union
select id / 1048576
from temp.erased_event
union
select s.started_at
from session s
where s.id in (select id from temp.erased_session)
