-- name: rollup.known-event.all
insert into known_event (id)
select id
from day_event

-- name: rollup.known-session.all
insert into known_session
select *
from day_session

-- name: rollup.known-view.all
insert into known_view
select *
from day_view

-- name: rollup.link.all
-- The visitors of the day's sessions: that of the session itself, and those of its views.
insert into link (session_id, visitor_id)
select id, visitor_id
from day_session
union
select session_id, visitor_id
from day_view

-- name: rollup.changed-view.fill
-- Sorted by primary key: rows inserted in order are appended.
insert into changed_view (session_id, id, visitor_id, page_id, title_id, seconds, scroll)
select session_id, id, visitor_id, page_id, title_id, seconds, scroll
from view
where id in (select value from json_each(@views))
order by session_id, id

-- name: rollup.part-session.seed
-- The changed sessions, and the sessions of changed views.
insert or ignore into part_session (session_id)
select value
from json_each(@sessions)
union all
select session_id
from changed_view

-- name: rollup.link.add
-- Like link.all, for changed rows only.
insert or ignore into link (session_id, visitor_id)
select id, visitor_id
from session
where id in (select session_id from part_session)
union all
select session_id, visitor_id
from changed_view

-- name: rollup.part-visitor.spread
-- Adds the visitors of the affected sessions.
insert or ignore into part_visitor (visitor_id)
select visitor_id
from link
where session_id in (select session_id from part_session)

-- name: rollup.part-session.spread
-- Adds the sessions of the affected visitors.
insert or ignore into part_session (session_id)
select session_id
from link
where visitor_id in (select visitor_id from part_visitor)

-- name: rollup.day-session.known
-- The baseline of the sessions affected by an update.
insert into day_session
select *
from known_session
where id in (select session_id from part_session)

-- name: rollup.day-view.known
-- The baseline of the views affected by an update.
insert into day_view
select *
from known_view
where session_id in (select session_id from part_session)

-- name: rollup.known-session.save
-- The current state of sessions.
insert or replace into known_session (
  id, visitor_id, started_at, views, events, entry_page_id, exit_page_id,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id, suspect
)
select id, visitor_id, started_at, views, events, entry_page_id, exit_page_id,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id, suspect
from session
where id in (select value from json_each(@sessions))

-- name: rollup.known-session.leave-out
delete from known_session
where id in (select session_id from part_session)
  and id in (select session_id from main.left_out)

-- name: rollup.known-view.leave-out
delete from known_view
where session_id in (select session_id from part_session)
  and session_id in (select session_id from main.left_out)

-- name: rollup.known-view.save
-- The current state of the day's views.
insert or replace into known_view (session_id, id, visitor_id, page_id, title_id, seconds, scroll)
select session_id, id, visitor_id, page_id, title_id, seconds, scroll
from changed_view
where id >= @first_view_id
  and id < @next_view_id

-- name: rollup.day-event.new
-- Events of the day that its rollups do not include yet.
insert into day_event (id, name_id, page_id)
select id, name_id, page_id
from event
where id in (select value from json_each(@events))
  and (session_id is null or session_id not in (select session_id from main.left_out))
  and id >= @first_view_id
  and id < @next_view_id
  and id not in (select id from known_event)

-- name: rollup.clear-reached
-- Clears the rows affected by an update.
delete from temp.changed_view;
delete from temp.part_session;
delete from temp.part_visitor;

-- name: rollup.clear-known
-- Clears the baseline of the current day.
delete from temp.known_session;
delete from temp.known_view;
delete from temp.known_event;
delete from temp.link;
