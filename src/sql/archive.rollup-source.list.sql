-- One source of a day, in texts, of what was derived or fetched; its domain is '' where there was no referrer.
select o.channel, o.source, ifnull(o.domain, '') as domain, n.visitors, n.sessions, n.views, n.bounces
from new_source_rollup n
join origin o on o.id = n.origin_id
order by channel, source, domain
