-- One page on which events of a name happened on a day, in texts, of what was derived or fetched.
select k.text as name, p.path as path, n.total
from new_event_page_rollup n
join label k on k.id = n.name_id
join page p on p.id = n.page_id
order by name, path
