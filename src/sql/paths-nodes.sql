-- name: segment.path-node.list
-- What was counted of paths at a step: a page, an event, or a sum of others.
select n.step, n.kind, p.name as page, l.text as event, n.sessions, n.ends
from temp.path_node n
left join named_page p on n.kind = 'page' and p.id = n.id
left join label l on n.kind = 'event' and l.id = n.id
order by n.step, n.kind = 'other', n.kind = 'single', n.sessions desc, ifnull(p.name, l.text), n.kind
