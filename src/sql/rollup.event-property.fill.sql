-- One value of a property of the events of a name on the day.
insert into new_event_property_rollup (name_id, period, key_id, value_id, total)
select e.name_id, @day, p.key_id, p.value_id, count(*)
from day_event e
join event_property p on p.event_id = e.id
group by e.name_id, p.key_id, p.value_id
