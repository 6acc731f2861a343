-- The days of a month added up.
insert into new_source_rollup (
  period, channel, source, domain, visitors, sessions, views, bounces
)
select cast(@month as integer), channel, source, domain,
  sum(visitors), sum(sessions), sum(views), sum(bounces)
from source_rollup
where period > @month
  and period < @month + 100
group by channel, source, domain
