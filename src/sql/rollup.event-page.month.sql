-- The days of a month added up.
insert into new_event_page_rollup (
  period, name_id, page_id, total
)
select cast(@month as integer), name_id, page_id,
  sum(total)
from event_page_rollup
where period > @month
  and period < @month + 100
group by name_id, page_id
