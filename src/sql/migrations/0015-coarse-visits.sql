-- name: session.screens
-- A screen of visits, as it was stored: 1512x982.
select id, text
from label
where id in (select screen_id from session)

-- name: session.languages
select id, text
from label
where id in (select language_id from session)

-- name: session.clients
select id, device, browser, browser_version, os, os_version
from client

-- name: session.values
-- A value of a dimension that is kept coarser from now on.
select distinct dimension, value
from dimension_rollup
where dimension in ('screen', 'language', 'browser_version', 'os_version')
  and value <> ''

-- name: session.several
-- A visit of a visitor who had several screens, languages or programs. Where two of them become one, its days count the
-- visitor once.
with part (visitor_id, id) as (
  select visitor_id, id
  from session
  union all
  select rekeyed_visitor_id, id
  from session
  where rekeyed_visitor_id is not null
)
select started_at, ended_at
from session
where id in (
  select id
  from part
  where visitor_id in (
    select p.visitor_id
    from part p
    join session s on s.id = p.id
    group by p.visitor_id
    having count(distinct ifnull(s.screen_id, 0)) > 1
      or count(distinct ifnull(s.language_id, 0)) > 1
      or count(distinct s.client_id) > 1
  )
)

-- name: timezone
select value
from installation
where name = 'timezone'

-- name: dirty
insert into dirty_day (day, marks)
values (?, 1)
on conflict (day) do update
set marks = marks + 1

-- name: begin.script
create temp table coarse_label (
  kind text not null,
  id integer not null,
  text text,
  new_id integer,
  primary key (kind, id)
) without rowid;
create temp table coarse_client (
  id integer primary key,
  device text not null,
  browser text,
  browser_version text,
  os text,
  os_version text,
  new_id integer
);
create temp table coarse_value (
  dimension text not null,
  value text not null,
  new_value text not null,
  primary key (dimension, value)
) without rowid;
-- Texts that visits named, which go unless something else names them.
create temp table former_label as
select timezone_id as id
from session
where timezone_id is not null
group by timezone_id;

-- name: add-label
insert into temp.coarse_label (kind, id, text)
values (?, ?, ?)

-- name: add-client
insert into temp.coarse_client (id, device, browser, browser_version, os, os_version)
values (@id, @device, @browser, @browser_version, @os, @os_version)

-- name: add-value
insert into temp.coarse_value (dimension, value, new_value)
values (?, ?, ?)

-- name: change.script
insert into label (text, hash)
select distinct c.text, text_hash(c.text)
from temp.coarse_label c
where c.text is not null
  and not exists (select 1 from label l where l.hash = text_hash(c.text) and l.text = c.text);
update temp.coarse_label
set new_id = (select min(l.id) from label l where l.hash = text_hash(coarse_label.text) and l.text = coarse_label.text)
where text is not null;

update temp.coarse_client
set new_id = (
  select min(o.id)
  from temp.coarse_client o
  where o.device = coarse_client.device
    and o.browser is coarse_client.browser
    and o.browser_version is coarse_client.browser_version
    and o.os is coarse_client.os
    and o.os_version is coarse_client.os_version
)
where true;

create table coarse_session (
  id integer primary key,
  visitor_id integer not null,
  -- The visitor's number after midnight or consent, where the visit went on under another hash.
  rekeyed_visitor_id integer,
  started_at integer not null,
  ended_at integer not null,
  views integer not null,
  events integer not null,
  entry_page_id integer not null,
  exit_page_id integer not null,
  origin_id integer not null,
  campaign_id integer,
  place_id integer,
  client_id integer not null,
  -- The class of its width.
  screen_id integer,
  language_id integer
) strict;
insert into coarse_session (
  id, visitor_id, rekeyed_visitor_id, started_at, ended_at, views, events, entry_page_id, exit_page_id,
  origin_id, campaign_id, place_id, client_id, screen_id, language_id
)
select s.id, s.visitor_id, s.rekeyed_visitor_id, s.started_at, s.ended_at, s.views, s.events, s.entry_page_id,
  s.exit_page_id, s.origin_id, s.campaign_id, s.place_id, ifnull(c.new_id, s.client_id), screen.new_id, language.new_id
from session s
left join temp.coarse_client c on c.id = s.client_id
left join temp.coarse_label screen on screen.kind = 'screen' and screen.id = s.screen_id
left join temp.coarse_label language on language.kind = 'language' and language.id = s.language_id;
drop table session;
alter table coarse_session rename to session;
create index "session#started_at" on session (started_at);
create index "session#ended_at" on session (ended_at) where ended_at - started_at > 21600;

delete from client
where id in (select id from temp.coarse_client where id <> new_id);
update client
set browser_version = (select browser_version from temp.coarse_client where id = client.id),
  os_version = (select os_version from temp.coarse_client where id = client.id)
where id in (select id from temp.coarse_client);

create temp table coarse_rollup as
select r.dimension, r.period, v.new_value as value, r.within, sum(r.visitors) as visitors, sum(r.sessions) as sessions,
  sum(r.views) as views, sum(r.bounces) as bounces
from dimension_rollup r
cross join temp.coarse_value v on v.dimension = r.dimension and v.value = r.value
where r.dimension in ('screen', 'language', 'browser_version', 'os_version')
group by r.dimension, r.period, v.new_value, r.within;
delete from dimension_rollup
where dimension = 'timezone'
  or (dimension, value) in (select dimension, value from temp.coarse_value);
insert into dimension_rollup (dimension, period, value, within, visitors, sessions, views, bounces)
select dimension, period, value, within, visitors, sessions, views, bounces
from temp.coarse_rollup
where true
on conflict (dimension, period, value, within) do update
set visitors = visitors + excluded.visitors,
  sessions = sessions + excluded.sessions,
  views = views + excluded.views,
  bounces = bounces + excluded.bounces;

-- Packed again from the changed rows.
delete from packed_day
where true;

delete from novelty
where kind in ('screen', 'timezone', 'reserve of screen', 'reserve of timezone');

insert into temp.former_label (id)
select id
from temp.coarse_label;
delete from label
where id in (select id from temp.former_label)
  and id not in (
    select title_id from view where title_id is not null
    union all
    select title_id from page where title_id is not null
    union all
    select title_id from title_day
    union all
    select title_id from cms_page where title_id is not null
    union all
    select screen_id from session where screen_id is not null
    union all
    select language_id from session where language_id is not null
    union all
    select name_id from event
    union all
    select name_id from event_name
    union all
    select name_id from event_key
    union all
    select key_id from event_key
    union all
    select value_id from event_value
    union all
    select name_id from event_rollup
    union all
    select name_id from event_page_rollup
    union all
    select name_id from event_property_rollup
    union all
    select key_id from event_property_rollup
    union all
    select value_id from event_property_rollup
    union all
    select key_id from event_property
    union all
    select value_id from event_property
    union all
    select key from revenue_period where kind in ('channel', 'coupon')
  );

drop table temp.coarse_label;
drop table temp.coarse_client;
drop table temp.coarse_value;
drop table temp.coarse_rollup;
drop table temp.former_label;

-- name: segment.filters
select id, filters from segment

-- name: segment.change
update segment set filters = @filters where id = @id

-- name: share-link.filters
select uuid as id, filters from share_link

-- name: share-link.change
update share_link set filters = @filters where uuid = @id

-- name: app-password.filters
select uuid as id, filters from app_password where filters is not null

-- name: app-password.change
update app_password set filters = @filters where uuid = @id
