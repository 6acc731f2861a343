-- name: segment.clear-day
-- Clears the previous day, except for the sessions that continue.
delete from temp.day_view;
delete from temp.day_event;
delete from temp.visit;

-- name: segment.day-session.fill
-- Sessions that began on the day.
insert into temp.selected_session
select *
from temp.fitting_session
where started_at >= @start
  and started_at < @end

-- name: segment.earlier-sessions
-- Sessions that were active when the day began; a separate index covers those longer than six hours.
insert into temp.selected_session
select *
from temp.fitting_session
where started_at >= @start - 21600
  and started_at < @start
  and ended_at >= @start
union all
select *
from temp.fitting_session
where ended_at - started_at > 21600
  and ended_at >= @start
  and started_at < @start - 21600

-- name: segment.ended-sessions
-- Removes the sessions that ended before the day began.
delete from temp.selected_session
where ended_at < @start

-- name: segment.by-page
-- Removes those sessions since a time that have no selected view on any day.
delete from temp.selected_session
where started_at >= @since
  and id not in (
    select session_id
    from main.view
    where id >= (select min(started_at) * 1048576 from temp.selected_session where started_at >= @since)
      and id < (select (max(ended_at) + 1) * 1048576 from temp.selected_session)
      and (page_id in (select id from temp.filter_value where filter = 'page')) = (select included from temp.active_filter where filter = 'page')
      and ((select included from temp.active_filter where filter = 'host') is null or page_id in (select id from temp.host_page))
  )

-- name: segment.day-view.fill
-- The selected views of the day. The unary plus makes SQLite apply a filter before the list, which rejects most early.
insert into temp.day_view (session_id, id, visitor_id, page_id, title_id, seconds, scroll)
select session_id, id, visitor_id, page_id, title_id, seconds, scroll
from main.view
where id >= @first_view_id
  and id < @next_view_id
  and +session_id in (select +id from temp.selected_session)
  and ((select included from temp.active_filter where filter = 'page') is null
    or (page_id in (select id from temp.filter_value where filter = 'page')) = (select included from temp.active_filter where filter = 'page'))
  and ((select included from temp.active_filter where filter = 'host') is null or page_id in (select id from temp.host_page))

-- name: segment.day-event.fill
-- The events of the day in the selected sessions.
insert into temp.day_event (id, name_id, page_id)
select id, name_id, page_id
from main.event
where id >= @first_view_id
  and id < @next_view_id
  and +session_id in (select +id from temp.selected_session)
  and ((select included from temp.active_filter where filter = 'host') is null or page_id in (select id from temp.host_page))
  and ((select included from temp.active_filter where filter = 'event_page') is null
    or (page_id in (select id from temp.filter_value where filter = 'event_page')) = (select included from temp.active_filter where filter = 'event_page'))

-- name: segment.property-session.fill
-- The sessions of the day with a value of an event's property.
insert into temp.property_session (day, key_id, value_id, sessions)
select @day, p.key_id, p.value_id, count(distinct e.session_id)
from temp.day_event d
join main.event e on e.id = d.id
join main.event_property p on p.event_id = e.id
where e.session_id is not null
group by p.key_id, p.value_id
