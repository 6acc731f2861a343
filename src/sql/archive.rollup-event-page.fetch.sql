-- Takes a day's rows to hand as they are kept.
insert into new_event_page_rollup (
  period, name_id, page_id, total
)
select period, name_id, page_id, total
from event_page_rollup
where period = @period
