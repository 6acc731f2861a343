-- name: alert.days
-- A day's visitors, its views of pages that were not found, and the visitors that look automated.
select s.day, s.visitors, ifnull(e.total, 0) as not_found, ifnull(d.visitors, 0) as suspect
from site_day s
left join event_rollup e on e.period = s.day
  and e.name_id = (select id from label where hash = text_hash('not_found') and text = 'not_found')
left join dimension_rollup d on d.dimension = 'suspect'
  and d.period = s.day
  and d.value = 'suspect'
  and d.within = ''
where s.day between @from and @to
order by s.day

-- name: view.last-before
-- The last view before a moment.
select max(id) as last_view
from view
where id < @next
