-- Daily figures of an event. Older versions stored sums of values without a limit, up to infinity.
select e.period as day, e.total, e.visitors, e.sessions,
  iif(abs(e.value_sum) < 1e24, e.value_sum, 0.0) as value_sum
from event_rollup e
where e.name_id = (select id from label where hash = text_hash(@name) and text = @name)
  and e.period between @from and @to
  and e.period % 100 > 0
order by e.period
