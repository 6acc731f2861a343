-- A source whose name or host holds the searched text, with its sessions.
select o.source as value, sum(r.sessions) as sessions
from source_rollup r
join origin o on o.id = r.origin_id
where r.period in (select period from temp.period)
  and (@search is null or instr(fold(o.source), @search) > 0 or instr(o.domain, @search) > 0)
group by o.source
having sum(r.sessions) > 0
order by sessions desc, o.source
limit @limit
