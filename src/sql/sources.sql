-- name: top
-- Sources of sessions, with their figures over the range. Picks the rows by few columns first, then reads
-- the figures of only these. `listed` is the length of the whole list.
with counted as (
  select origin_id, sum(sessions) as sessions
  from source_rollup
  where period in (select period from temp.period)
  group by origin_id
),
chosen as (
  select k.origin_id, k.sessions, o.channel, o.source, o.domain, count(*) over () as listed
  from counted k
  join origin o on o.id = k.origin_id
  where @channels is null
    or o.channel in (select value from json_each(@channels))
  order by k.sessions desc, o.channel, o.source, ifnull(o.domain, '')
  limit @limit offset @offset
)
select c.listed, c.channel, c.source, c.domain,
  sum(s.visitors) as visitors,
  sum(s.sessions) as sessions,
  sum(s.views) as views,
  sum(s.bounces) as bounces
from chosen c
join source_rollup s on s.origin_id = c.origin_id
where s.period in (select period from temp.period)
group by c.origin_id
order by c.sessions desc, c.channel, c.source, ifnull(c.domain, '')

-- name: by-source
-- Sources of sessions by their name and channel, with the figures of each of their domains: `listed` is the length of the
-- list of sources. Picks these by few columns first. A cross join keeps SQLite from reading all sources there ever were.
with counted as (
  select origin_id, sum(sessions) as sessions
  from source_rollup
  where period in (select period from temp.period)
  group by origin_id
),
chosen as (
  select o.channel, o.source, sum(k.sessions) as sessions, count(*) over () as listed
  from counted k
  cross join origin o on o.id = k.origin_id
  where @channels is null
    or o.channel in (select value from json_each(@channels))
  group by o.channel, o.source
  order by sum(k.sessions) desc, o.channel, o.source
  limit @limit offset @offset
)
select c.listed, c.channel, c.source, o.domain,
  sum(s.visitors) as visitors,
  sum(s.sessions) as sessions,
  sum(s.views) as views,
  sum(s.bounces) as bounces
from counted k
cross join origin o on o.id = k.origin_id
join chosen c on c.channel = o.channel and c.source = o.source
join source_rollup s on s.origin_id = o.id
where s.period in (select period from temp.period)
group by o.id
order by c.sessions desc, c.channel, c.source, sum(s.sessions) desc, ifnull(o.domain, '')

-- name: by-channel
-- The ten largest sources of each channel, picked from narrow columns first; then the figures of only these.
with counted as (
  select origin_id, sum(sessions) as sessions
  from source_rollup
  where period in (select period from temp.period)
  group by origin_id
),
ranked as (
  select k.origin_id, o.channel, o.source, o.domain,
    row_number() over (partition by o.channel order by k.sessions desc, o.source, ifnull(o.domain, '')) as place
  from counted k
  join origin o on o.id = k.origin_id
),
chosen as (
  select *
  from ranked
  where place <= 10
)
select c.channel, c.source, c.domain,
  sum(s.visitors) as visitors,
  sum(s.sessions) as sessions,
  sum(s.views) as views,
  sum(s.bounces) as bounces
from chosen c
join source_rollup s on s.origin_id = c.origin_id
where s.period in (select period from temp.period)
group by c.origin_id
order by c.channel, c.place

-- name: days
-- Figures per channel and day.
select period as day, value as channel, visitors, sessions, views, bounces
from dimension_rollup
where dimension = 'channel'
  and period between @from and @to
  and period % 100 > 0
order by period, value
