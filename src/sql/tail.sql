-- name: views
-- One view since the last look, oldest first.
select v.id as view_id, p.name as page, t.text as title, pl.country, c.device, c.browser, c.os, o.channel, o.source
from view v
join session s on s.id = v.session_id
join named_page p on p.id = v.page_id
join client c on c.id = s.client_id
join origin o on o.id = s.origin_id
left join cms_page cms on cms.page_id = v.page_id
left join label t on t.id = ifnull(cms.title_id, v.title_id)
left join place pl on pl.id = s.place_id
where v.id > @after
order by v.id
limit @limit

-- name: newest
-- The view after which the next look begins.
select ifnull(max(id), 0) as view_id
from view
