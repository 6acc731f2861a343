-- Path and title of pages, given a JSON array of ids.
select p.id, p.name as page, t.text as title
from json_each(@ids) j
join named_page p on p.id = j.value
left join label t on t.id = p.title_id
