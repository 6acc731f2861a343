-- Version 0.1.0 wrote what further views and events add to a visit up to a second after them. Visits of a service that
-- was killed meanwhile are counted again here, unless it has stopped in order since. Their days are still to be
-- recalculated.
with recent as (
  select session_id
  from view
  where id >= (select max(id) from view) - 2 * 3600 * 1048576
  union
  select session_id
  from event
  where id >= (select max(id) from view) - 2 * 3600 * 1048576
    and session_id is not null
),
beginning as (
  select min(started_at) * 1048576 as id
  from session
  where id in (select session_id from recent)
),
seen as (
  select session_id, count(*) as views, max(id) as last_id
  from view
  where id >= (select id from beginning)
    and session_id in (select session_id from recent)
  group by session_id
),
acted as (
  select e.session_id, sum(l.text <> 'not_found') as events, max(e.id) as last_id
  from event e
  join label l on l.id = e.name_id
  where e.id >= (select id from beginning)
    and e.session_id in (select session_id from recent)
  group by e.session_id
)
update session
set views = max(session.views, v.views),
  events = max(session.events, ifnull(a.events, 0)),
  exit_page_id = (select page_id from view where id = v.last_id),
  ended_at = max(session.ended_at, v.last_id / 1048576, ifnull(a.last_id / 1048576, 0))
from seen v
left join acted a on a.session_id = v.session_id
where session.id = v.session_id
  and not exists (select 1 from installation where name = 'written')
  and (
    v.views > session.views
    or a.events > session.events
    -- A not_found event extends the session without being counted.
    or a.last_id / 1048576 > session.ended_at
  );

delete from installation
where name = 'written';
