-- One day of the events of a name.
select e.day, e.total, e.visitors, e.sessions, e.value_sum
from event_day e
where e.name_id = (select id from label where text = @name)
  and e.day between @from and @to
order by e.day
