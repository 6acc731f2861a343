-- The sessions of the day with a value of an event's property.
insert into temp.property_session (day, key_id, value_id, sessions)
select @day, p.key_id, p.value_id, count(distinct e.session_id)
from temp.day_event d
join main.event e on e.id = d.id
join main.event_property p on p.event_id = e.id
where e.session_id is not null
group by p.key_id, p.value_id
