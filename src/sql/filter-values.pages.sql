-- A page whose path or title holds the searched text, with its sessions: those that viewed it, began or ended there.
select p.name as value,
  sum(case @key when 'page' then r.sessions when 'entry_page' then r.entries else r.exits end) as sessions
from page_rollup r
join named_page p on p.id = r.page_id
left join label t on t.id = p.title_id
where r.period in (select period from temp.period)
  and (@search is null or instr(fold(p.name), @search) > 0 or instr(fold(t.text), @search) > 0)
group by p.name
having sum(case @key when 'page' then r.sessions when 'entry_page' then r.entries else r.exits end) > 0
order by sessions desc, p.name
limit @limit
