-- The parts of a longer period added up.
insert into new_event_page_rollup (
  period, name_id, page_id, total
)
select cast(@period as integer), name_id, page_id,
  sum(total)
from event_page_rollup
where period in (select value from json_each(@parts))
group by name_id, page_id
