-- name: pages
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

-- name: sources
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

-- name: utm
-- A value of one UTM key that holds the searched text, with its sessions.
select source || medium || campaign || term || content as value, sum(sessions) as sessions
from utm_rollup
where grouping = @grouping
  and period in (select period from temp.period)
  and (@search is null or instr(fold(source || medium || campaign || term || content), @search) > 0)
group by source, medium, campaign, term, content
having value <> ''
order by sum(sessions) desc, value
limit @limit

-- name: events
-- An event name that holds the searched text, with the sessions that hold it.
select l.text as value, sum(r.sessions) as sessions
from event_rollup r
join label l on l.id = r.name_id
where r.period in (select period from temp.period)
  and (@search is null or instr(fold(l.text), @search) > 0)
group by r.name_id
order by sum(r.sessions) desc, l.text
limit @limit

-- name: segment.property-values
-- A value of a property that holds the searched text, with the sessions that have an event with it.
select v.text as value, sum(s.sessions) as sessions
from temp.property_session s
join main.label v on v.id = s.value_id
where s.key_id = (select id from main.label where hash = text_hash(@property) and text = @property)
  and (@search is null or instr(fold(v.text), @search) > 0)
group by s.value_id
order by sum(s.sessions) desc, v.text
limit @limit
