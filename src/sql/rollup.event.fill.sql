-- One event name of the day that has new events; recounted, because distinct visitors cannot be summed.
-- Values beyond the limit were stored by older versions.
insert into new_event_rollup (period, name_id, total, visitors, sessions, value_sum, last_event_id)
select @day, name_id,
  count(*), count(distinct visitor_id), count(distinct session_id),
  ifnull(sum(value) filter (where abs(value) <= 1e12), 0.0), max(id)
from event
where id >= @first_view_id
  and id < @next_view_id
  and name_id in (select name_id from day_event)
group by name_id
