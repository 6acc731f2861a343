-- An event name that holds the searched text, with the sessions that hold it.
select l.text as value, sum(r.sessions) as sessions
from event_rollup r
join label l on l.id = r.name_id
where r.period in (select period from temp.period)
  and (@search is null or instr(fold(l.text), @search) > 0)
group by r.name_id
order by sum(r.sessions) desc, l.text
limit @limit
