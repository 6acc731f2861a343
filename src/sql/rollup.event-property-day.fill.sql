-- One value of a property of the events of a name on the day.
insert into new_event_property_day (name_id, day, key_id, value_id, total)
select e.name_id, @day, p.key_id, p.value_id, count(*)
from event e
join event_property p on p.event_id = e.id
where e.id >= @first_view_id
  and e.id < @next_view_id
group by e.name_id, p.key_id, p.value_id
