-- One of the ten largest sources of its channel.
with x as (
  select channel, source, domain,
    sum(visitors) as visitors,
    sum(sessions) as sessions,
    sum(views) as views,
    sum(bounces) as bounces
  from source_rollup
  where period in (select period from temp.period)
  group by channel, source, domain
),
ranked as (
  select *, row_number() over (partition by channel order by sessions desc, source, domain) as place
  from x
)
select channel, source, nullif(domain, '') as domain, visitors, sessions, views, bounces
from ranked
where place <= 10
order by channel, place
