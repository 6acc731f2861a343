-- Path and title of pages, given a JSON array of ids.
select p.id, iif((select count(*) from host where name <> '') > 1, h.name, '') || p.path as page, t.text as title
from json_each(@ids) j
join page p on p.id = j.value
join host h on h.id = p.host_id
left join label t on t.id = p.title_id
