-- Events with their figures over the range. Older versions stored sums of values without a limit, up to infinity.
select l.text as name,
  sum(e.total) as total,
  sum(e.visitors) as visitors,
  sum(e.sessions) as sessions,
  ifnull(sum(e.value_sum) filter (where abs(e.value_sum) < 1e24), 0.0) as value_sum,
  max(e.last_event_id) as last_event_id
from event_rollup e
join label l on l.id = e.name_id
where e.period in (select period from temp.period)
group by e.name_id
order by sum(e.total) desc, l.text
limit @limit offset @offset
