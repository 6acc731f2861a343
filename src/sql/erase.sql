-- name: erasure.day.choose
insert into temp.target (id, next_id)
values (@first_view_id, @next_view_id)

-- name: erasure.counts
-- How many rows an erasure deleted.
select (select count(*) from temp.erased_view) as views,
  (select count(*) from temp.erased_event) as events,
  (
    select count(*)
    from temp.erased_session s
    where not exists (select 1 from temp.left_view v where v.session_id = s.id)
  ) as sessions

-- name: erasure.seconds
-- The times of deleted or changed rows, which determine the days to rebuild.
select second
from temp.changed_second

-- name: erasure.begin.script
-- Temporary tables of the rows to erase and of the visits they belong to; cleared by the next erasure.
create temp table if not exists target (id integer primary key, next_id integer);
create temp table if not exists erased_view (id integer primary key);
create temp table if not exists erased_event (id integer primary key);
create temp table if not exists erased_session (id integer primary key);
create temp table if not exists erased_label (id integer primary key);
create temp table if not exists left_view (
  session_id integer not null,
  id integer not null,
  page_id integer not null,
  ended_at integer not null,
  primary key (session_id, id)
) without rowid;
create temp table if not exists left_event (
  session_id integer not null,
  id integer not null,
  active integer not null,
  primary key (session_id, id)
) without rowid;
create temp table if not exists changed_second (second integer primary key);
delete from temp.target;
delete from temp.erased_view;
delete from temp.erased_event;
delete from temp.erased_session;
delete from temp.erased_label;
delete from temp.left_view;
delete from temp.left_event;
delete from temp.changed_second;

-- name: erasure.rows.script
-- Deletes the selected rows. A visit with remaining views begins and ends with these.
insert or ignore into temp.changed_second (second)
select id / 1048576
from temp.erased_view
union
select id / 1048576
from temp.erased_event
union
select started_at
from session
where id in (select id from temp.erased_session);

delete from event_property
where event_id in (select id from temp.erased_event);

delete from recent_id
where kind = 'event'
  and id in (select id from temp.erased_event);

delete from recent_id
where kind = 'view'
  and id in (select id from temp.erased_view);

delete from event
where id in (select id from temp.erased_event);

delete from view
where id in (select id from temp.erased_view);

insert into temp.left_view (session_id, id, page_id, ended_at)
select session_id, id, page_id, id / 1048576 + ifnull(seconds, 0)
from view
where session_id in (select id from temp.erased_session);

-- A page that was not found does not end a bounce.
insert into temp.left_event (session_id, id, active)
select e.session_id, e.id, l.text <> 'not_found'
from event e
join label l on l.id = e.name_id
where e.session_id in (select id from temp.erased_session);

-- Orphaned events: their visit has no views left.
update event
set session_id = null,
  claim = null
where id in (
  select e.id
  from temp.left_event e
  where not exists (select 1 from temp.left_view v where v.session_id = e.session_id)
);

delete from session
where id in (select id from temp.erased_session)
  and not exists (select 1 from temp.left_view v where v.session_id = session.id);

update session
set views = (select count(*) from temp.left_view v where v.session_id = session.id),
  events = (select count(*) from temp.left_event e where e.session_id = session.id and e.active),
  started_at = min(
    (select min(v.id) / 1048576 from temp.left_view v where v.session_id = session.id),
    ifnull((select min(e.id) / 1048576 from temp.left_event e where e.session_id = session.id), 9e15)
  ),
  ended_at = min(ended_at, max(
    (select max(v.ended_at) from temp.left_view v where v.session_id = session.id),
    ifnull((select max(e.id) / 1048576 from temp.left_event e where e.session_id = session.id), 0)
  )),
  entry_page_id = (select v.page_id from temp.left_view v where v.session_id = session.id order by v.id limit 1),
  exit_page_id = (select v.page_id from temp.left_view v where v.session_id = session.id order by v.id desc limit 1)
where id in (select id from temp.erased_session);

insert or ignore into temp.changed_second (second)
select started_at
from session
where id in (select id from temp.erased_session);

-- Texts that are no longer named go, and what is known of events by them.
delete from temp.erased_label
where id in (
  select id
  from temp.named_label
  where id in (select id from temp.erased_label)
);

delete from event_value
where key_id in (select id from temp.erased_label)
  or value_id in (select id from temp.erased_label);

delete from event_key
where key_id in (select id from temp.erased_label);

delete from label
where id in (select id from temp.erased_label);
