-- name: alert.days
-- A day's visitors, and its views of pages that were not found.
select s.day, s.visitors, ifnull(e.total, 0) as not_found
from site_day s
left join event_rollup e on e.period = s.day
  and e.name_id = (select id from label where hash = text_hash('not_found') and text = 'not_found')
where s.day between @from and @to
order by s.day

-- name: view.last-before
-- The last view before a moment.
select max(id) as last_view
from view
where id < @next
