-- name: claim
-- Claims a day for packing; a change of its rows removes the claim. A day is not packed while it or the previous day is
-- dirty.
insert into packed_day (day, columns)
select @day, x'00'
where not exists (select 1 from dirty_day where day in (@day, @before))
on conflict (day) do update
set columns = excluded.columns

-- name: save
update packed_day
set columns = @columns
where day = @day

-- name: due
-- One day with complete raw rows and up-to-date rollups that is not packed, or only claimed.
select day
from site_day
where day >= @complete
  and day < @today
  and day not in (select day from packed_day where length(columns) <> 1)
  and day not in (select day from dirty_day)

-- name: sessions
-- One session of the day, also one that has only events on it. `hour` is 1 for the first hour of the day, and 0 if the session did not begin on it; what is
-- unknown is 0.
select id,
  visitor_id as visitor,
  iif(
    started_at >= @start and started_at < @end,
    1 + (started_at - cast(@day_start as integer) + iif(started_at >= @shifted_from, cast(@shifted_by as integer), 0)) / 3600,
    0
  ) as hour,
  iif(views = 1 and events = 0, 1, 0) as bounced,
  entry_page_id as entry_page,
  exit_page_id as exit_page,
  origin_id as origin,
  ifnull(campaign_id, 0) as campaign,
  ifnull(place_id, 0) as place,
  client_id as client,
  ifnull(screen_id, 0) as screen,
  ifnull(language_id, 0) as language,
  suspect,
  id / 4294967296 as id_high,
  id % 4294967296 as id_low,
  started_at
from (
  select *
  from temp.day_session
  union all
  select id, visitor_id, started_at, views, events, entry_page_id, exit_page_id,
    origin_id, campaign_id, place_id, client_id, screen_id, language_id, suspect
  from main.session
  where id in (select e.session_id from temp.day_event d join main.event e on e.id = d.id)
    and id not in (select id from temp.day_session)
)
order by id

-- name: views
-- One view of the day, ordered by session. `seconds` and `scroll` are one more than their value, 0 if unknown.
select session_id as session,
  visitor_id as visitor,
  page_id as page,
  ifnull(seconds + 1, 0) as seconds,
  ifnull(scroll + 1, 0) as scroll,
  (id / 1048576 - cast(@day_start as integer) + iif(id / 1048576 >= @shifted_from, cast(@shifted_by as integer), 0)) / 3600 as hour
from temp.day_view
order by session_id, id

-- name: other-day-views
-- One view on another day of a session that is active on the day, in the order of the session's path.
with crossing as (
  select id, ended_at
  from session
  where started_at >= @earliest
    and started_at < @end
    and (started_at < @start or ended_at >= @end)
    and id in (
      select id from temp.day_session
      union
      select e.session_id from temp.day_event d join main.event e on e.id = d.id
    )
)
select session_id as session, page_id as page, id / 1048576 - cast(@earliest as integer) as second
from main.view
where id >= @earliest * 1048576
  and id < (select max(ended_at) + 1 from crossing) * 1048576
  and (id < @first_view_id or id >= @next_view_id)
  and session_id in (select id from crossing)
order by session_id, id

-- name: other-day-events
-- One event on another day of a session that is active on the day, in the order of the session's path.
with crossing as (
  select id, ended_at
  from session
  where started_at >= @earliest
    and started_at < @end
    and (started_at < @start or ended_at >= @end)
    and id in (
      select id from temp.day_session
      union
      select e.session_id from temp.day_event d join main.event e on e.id = d.id
    )
)
select session_id as session,
  name_id as name,
  ifnull(page_id, 0) as page,
  id / 1048576 - cast(@earliest as integer) as second
from main.event
where id >= @earliest * 1048576
  and id < (select max(ended_at) + 1 from crossing) * 1048576
  and (id < @first_view_id or id >= @next_view_id)
  and session_id in (select id from crossing)
order by session_id, id

-- name: events
-- One event of the day, ordered by session. Of a view and an event in the same second, the view comes first.
select e.session_id as session,
  e.visitor_id as visitor,
  e.name_id as name,
  ifnull(e.page_id, 0) as page,
  (
    select count(*)
    from temp.day_view v
    where v.session_id = e.session_id
      and v.id < (e.id / 1048576 + 1) * 1048576
  ) as view,
  e.id / 1048576 - cast(@start as integer) as second,
  e.id % 1048576 as sequence
from temp.day_event d
join main.event e on e.id = d.id
order by e.session_id is null, e.session_id, e.id
