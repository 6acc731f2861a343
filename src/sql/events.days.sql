-- Daily figures of an event.
select e.period as day, e.total, e.visitors, e.sessions, e.value_sum
from event_rollup e
where e.name_id = (select id from label where hash = text_hash(@name) and text = @name)
  and e.period between @from and @to
  and e.period % 100 > 0
order by e.period
