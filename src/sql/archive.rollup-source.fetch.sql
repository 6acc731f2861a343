-- Takes a day's rows to hand as they are kept.
insert into new_source_rollup (
  period, channel, source, domain, visitors, sessions, views, bounces
)
select period, channel, source, domain, visitors, sessions, views, bounces
from source_rollup
where period = @period
