-- One value of a property of the events of a name on a day, in texts, of what was derived or fetched.
select k.text as name, x.text as key, y.text as value, n.total
from new_event_property_rollup n
join label k on k.id = n.name_id
join label x on x.id = n.key_id
join label y on y.id = n.value_id
order by name, key, value
