-- name: visitor.find-lasting
-- The number of a visitor who is recognised on later days.
select id
from visitor
where hash = @hash
  and day = 99991231

-- name: erasure.visitor.choose
insert into temp.target (id)
values (@id)

-- name: erasure.visitor.script
-- A visitor recognized across days. A visit that also has views of others keeps its row.
insert into temp.erased_view (id)
select id
from view
where visitor_id in (select id from temp.target);

insert into temp.erased_event (id)
select id
from event
where visitor_id in (select id from temp.target);

insert into temp.erased_session (id)
select id
from session
where visitor_id in (select id from temp.target)
  or rekeyed_visitor_id in (select id from temp.target);

insert or ignore into temp.changed_second (second)
select started_at
from session
where id in (select id from temp.erased_session);

delete from temp.erased_session
where id in (
  select session_id
  from view
  where session_id in (select id from temp.erased_session)
    and id not in (select id from temp.erased_view)
);

delete from visitor
where id in (select id from temp.target);
