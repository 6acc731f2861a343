-- One name of events on the day.
insert into new_event_day (day, name_id, total, visitors, sessions, value_sum, last_event_id)
select @day, name_id, count(*), count(distinct visitor_id), count(distinct session_id), ifnull(sum(value), 0.0), max(id)
from event
where id >= @first_view_id
  and id < @next_view_id
group by name_id
