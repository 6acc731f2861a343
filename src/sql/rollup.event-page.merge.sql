-- Adds what was derived, or the difference to what was there.
insert into event_page_rollup (
  period, name_id, page_id, total
)
select period, name_id, page_id,
  sum(total)
from new_event_page_rollup
group by period, name_id, page_id
on conflict (period, name_id, page_id) do update
set total = total + excluded.total
