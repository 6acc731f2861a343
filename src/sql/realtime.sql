-- name: recent
-- The latest views, newest first.
select p.name as page, t.text as title, pl.country, c.device, c.browser, o.channel, v.id as view_id
from view v
join session s on s.id = v.session_id
join named_page p on p.id = v.page_id
join client c on c.id = s.client_id
join origin o on o.id = s.origin_id
left join cms_page cms on cms.page_id = v.page_id
left join label t on t.id = ifnull(cms.title_id, v.title_id)
left join place pl on pl.id = s.place_id
where v.id >= @first_view_id
  and v.id < @next_view_id
  and v.session_id not in (select session_id from left_out)
order by v.id desc
limit @limit

-- name: minutes
-- The views of one minute; a minute is a whole one of the clock.
select id / 62914560 as minute, count(*) as views
from view
where id >= @first_view_id
  and id < @next_view_id
  and session_id not in (select session_id from left_out)
group by minute
order by minute

-- name: pages
-- Path and title of pages, given a JSON array of ids.
select p.id, p.name as page, t.text as title
from json_each(@ids) j
join named_page p on p.id = j.value
left join label t on t.id = p.title_id

-- name: newest
-- The newest view.
select max(id) as view_id
from view
