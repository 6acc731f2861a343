-- name: erasure.page.choose
-- A page of one host, or with null of every host.
insert into temp.target (id)
select id
from page
where path = @value
  and (@host is null or host_id = (select id from host where name = @host))

-- name: erasure.host.choose
insert into temp.target (id)
select id
from page
where host_id = (select id from host where name = @value)

-- name: erasure.host-rollup.remove
delete from dimension_rollup
where dimension = 'host'
  and value = @value

-- name: erasure.host-refusals.remove
delete from foreign_host_day
where host = @value

-- name: erasure.host-name.remove
-- The name of a host without pages.
delete from host
where name = @value

-- name: erasure.event.choose
insert into temp.target (id)
select n.name_id
from event_name n
join label l on l.id = n.name_id
where l.text = @value

-- name: erasure.goal.remove
-- What goals that name the erased page or event counted on days that cannot be counted again.
delete from goal_day
where goal_id in (select id from goal where pattern = @value)

-- name: erasure.referrer.choose
insert into temp.target (id)
select id
from origin
where domain = @value

-- name: erasure.touched.script
-- The visits that lose some of their views or events.
insert or ignore into temp.erased_session (id)
select session_id
from view
where id in (select id from temp.erased_view)
union
select session_id
from event
where id in (select id from temp.erased_event)
  and session_id is not null;

-- name: erasure.page.script
-- A page: its views, the events on it, its titles, and its rows in rollups.
insert into temp.erased_view (id)
select id
from view
where page_id in (select id from temp.target);

insert into temp.erased_event (id)
select id
from event
where page_id in (select id from temp.target);

insert into temp.erased_label (id)
select title_id from page where id in (select id from temp.target) and title_id is not null
union
select title_id from title_day where page_id in (select id from temp.target)
union
select title_id from view where id in (select id from temp.erased_view) and title_id is not null
union
select title_id from cms_page where page_id in (select id from temp.target) and title_id is not null;

delete from title_day
where page_id in (select id from temp.target);

delete from page_rollup
where page_id in (select id from temp.target);

delete from event_page_rollup
where page_id in (select id from temp.target);

update funnel_step_day
set next = (
  select json_group_array(json(value))
  from json_each(next)
  where value ->> 0 not in (select id from temp.target)
)
where exists (select 1 from json_each(next) where value ->> 0 in (select id from temp.target));

delete from cms_page
where page_id in (select id from temp.target);

delete from page_content
where page_id in (select id from temp.target);

delete from page
where id in (select id from temp.target);

-- name: erasure.event.script
-- All events of a name: their keys and values, and their rows in rollups.
insert into temp.erased_event (id)
select id
from event
where name_id in (select id from temp.target);

insert into temp.erased_label (id)
select id from temp.target
union
select key_id from event_key where name_id in (select id from temp.target)
union
select value_id from event_value where name_id in (select id from temp.target);

delete from event_rollup
where name_id in (select id from temp.target);

delete from event_page_rollup
where name_id in (select id from temp.target);

delete from event_property_rollup
where name_id in (select id from temp.target);

delete from event_value
where name_id in (select id from temp.target);

delete from event_key
where name_id in (select id from temp.target);

delete from event_name
where name_id in (select id from temp.target);

-- name: erasure.property.choose
-- A key of any event.
insert into temp.target (id)
select distinct k.key_id
from event_key k
join label l on l.id = k.key_id
where l.text = @value

-- name: erasure.property.count
-- The events that have it.
select count(distinct event_id) as events
from event_property
where key_id in (select id from temp.target)

-- name: erasure.property.script
-- A property of all events: the key, its values, and their rows in rollups. The events stay.
insert into temp.changed_second (second)
select distinct event_id / 1048576
from event_property
where key_id in (select id from temp.target);

insert into temp.erased_label (id)
select id from temp.target
union
select value_id from event_value where key_id in (select id from temp.target);

delete from event_property
where key_id in (select id from temp.target);

delete from event_property_rollup
where key_id in (select id from temp.target);

delete from event_value
where key_id in (select id from temp.target);

delete from event_key
where key_id in (select id from temp.target);

-- name: erasure.referrer.script
-- All visits from a referring host with their views and events, and its rows in rollups.
insert into temp.erased_session (id)
select id
from session
where origin_id in (select id from temp.target);

insert into temp.erased_view (id)
select id
from view
where session_id in (select id from temp.erased_session);

insert into temp.erased_event (id)
select id
from event
where session_id in (select id from temp.erased_session);

delete from source_rollup
where origin_id in (select id from temp.target);

-- Orders keep their channel.
insert or ignore into origin (channel, source)
select distinct channel, '(other)'
from origin
where id in (select id from temp.target);

update shop_order
set origin_id = (
  select other.id
  from origin erased
  join origin other on other.channel = erased.channel and other.source = '(other)' and other.domain is null
  where erased.id = shop_order.origin_id
)
where origin_id in (select id from temp.target);

delete from origin
where id in (select id from temp.target);

-- name: erasure.day.script
-- The views and events of a day; the target is the span of their ids.
insert into temp.erased_view (id)
select v.id
from temp.target t
cross join view v on v.id >= t.id and v.id < t.next_id;

insert into temp.erased_event (id)
select e.id
from temp.target t
cross join event e on e.id >= t.id and e.id < t.next_id;
