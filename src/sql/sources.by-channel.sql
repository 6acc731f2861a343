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
