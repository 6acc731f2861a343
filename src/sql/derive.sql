-- name: rollup.day-view.fill
-- The views of a day, but for those of visits that are left out.
insert into day_view (session_id, id, visitor_id, page_id, title_id, seconds, scroll)
select session_id, id, visitor_id, page_id, title_id, seconds, scroll
from view
where id >= @first_view_id
  and id < @next_view_id
  and session_id not in (select session_id from main.left_out)

-- name: rollup.day-session.fill
-- The sessions that began on a day or have a view on it, but for those that are left out.
insert into day_session (
  id, visitor_id, started_at, views, events, entry_page_id, exit_page_id,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id, suspect
)
select id, visitor_id, started_at, views, events, entry_page_id, exit_page_id,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id, suspect
from session
where id in (
  select id
  from session
  where started_at >= @start
    and started_at < @end
  union
  select session_id
  from day_view
)
  and id not in (select session_id from main.left_out)

-- name: rollup.day-event.fill
-- The events of a day, but for those of visits that are left out.
insert into day_event (id, name_id, page_id)
select id, name_id, page_id
from event
where id >= @first_view_id
  and id < @next_view_id
  and (session_id is null or session_id not in (select session_id from main.left_out))

-- name: rollup.tables
-- Temporary tables in which rollups are derived before they are written, without taking the write lock.
-- Input of a derivation: the raw rows of a day, or only those of visitors affected by changes.
create temp table if not exists day_session (
  id integer primary key,
  visitor_id integer not null,
  started_at integer not null,
  views integer not null,
  events integer not null,
  entry_page_id integer not null,
  exit_page_id integer not null,
  origin_id integer not null,
  campaign_id integer,
  place_id integer,
  client_id integer not null,
  screen_id integer,
  language_id integer,
  suspect integer not null
);
-- How sessions ended. Of another host's page a report of one host does not count the exit; see segment.tables.sql.
create temp view if not exists day_exit as
select exit_page_id, visitor_id, started_at
from day_session;
create temp table if not exists day_view (
  session_id integer not null,
  id integer not null,
  visitor_id integer not null,
  page_id integer not null,
  title_id integer,
  seconds integer,
  scroll integer,
  primary key (session_id, id)
) without rowid;
create temp table if not exists day_event (
  id integer primary key,
  name_id integer not null,
  page_id integer
);
create temp table if not exists visit (
  session_id integer not null,
  visitor_id integer not null,
  views integer not null,
  began integer not null,
  bounced integer not null,
  is_only_visit integer not null default 1,
  origin_id integer not null,
  campaign_id integer,
  place_id integer,
  client_id integer not null,
  screen_id integer,
  language_id integer,
  suspect integer not null
);
-- Baseline: rows already included in the rollups of the current day, and the visitors of each session.
create temp table if not exists known_session (
  id integer primary key,
  visitor_id integer not null,
  started_at integer not null,
  views integer not null,
  events integer not null,
  entry_page_id integer not null,
  exit_page_id integer not null,
  origin_id integer not null,
  campaign_id integer,
  place_id integer,
  client_id integer not null,
  screen_id integer,
  language_id integer,
  suspect integer not null
);
create temp table if not exists known_view (
  session_id integer not null,
  id integer not null,
  visitor_id integer not null,
  page_id integer not null,
  title_id integer,
  seconds integer,
  scroll integer,
  primary key (session_id, id)
) without rowid;
create temp table if not exists known_event (id integer primary key);
create temp table if not exists link (
  session_id integer not null,
  visitor_id integer not null,
  primary key (session_id, visitor_id)
) without rowid;
create index if not exists temp."link#visitor_id" on link (visitor_id);
-- The current state of changed views.
create temp table if not exists changed_view as select * from day_view where false;
-- Pages that had a title on a day before it was derived again.
create temp table if not exists titled_page (page_id integer primary key);
-- Sessions and visitors affected by an update: all that share one with a changed row.
create temp table if not exists part_session (session_id integer primary key);
create temp table if not exists part_visitor (visitor_id integer primary key);

-- name: rollup.clear-part
-- Clears the input of a derivation.
delete from temp.day_session;
delete from temp.day_view;
delete from temp.day_event;
delete from temp.visit;
