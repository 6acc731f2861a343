-- The ten pages with the most occurrences of an event.
select p.name as page, sum(e.total) as total
from event_page_rollup e
join named_page p on p.id = e.page_id
where e.name_id = (select id from label where hash = text_hash(@name) and text = @name)
  and e.period in (select period from temp.period)
group by p.name
order by sum(e.total) desc, p.name
limit 10
