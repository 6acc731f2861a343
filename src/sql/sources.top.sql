-- One source of sessions, with its figures over the range. `listed` is how many the whole list has.
select count(*) over () as listed, channel, source, nullif(domain, '') as domain,
  sum(visitors) as visitors,
  sum(sessions) as sessions,
  sum(views) as views,
  sum(bounces) as bounces
from source_rollup s
where period in (select period from temp.period)
  and (@channels is null or channel in (select value from json_each(@channels)))
group by channel, source, s.domain
order by sum(sessions) desc, channel, source, s.domain
limit @limit offset @offset
