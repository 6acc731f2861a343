-- Takes a day's rows to hand as they are kept.
insert into new_source_rollup (
  period, origin_id, visitors, sessions, views, bounces
)
select period, origin_id, visitors, sessions, views, bounces
from source_rollup
where period = @period
