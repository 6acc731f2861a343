-- The ten pages with the most occurrences of an event.
select p.path as page, sum(e.total) as total
from event_page_rollup e
join page p on p.id = e.page_id
where e.name_id = (select id from label where hash = text_hash(@name) and text = @name)
  and e.period in (select period from temp.period)
group by p.path
order by sum(e.total) desc, p.path
limit 10
