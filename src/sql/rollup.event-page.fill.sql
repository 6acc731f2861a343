-- One page on which events of a name happened on the day.
insert into new_event_page_rollup (name_id, period, page_id, total)
select name_id, @day, page_id, count(*)
from day_event
where page_id is not null
group by name_id, page_id
