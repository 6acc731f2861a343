-- The views of a day, with texts instead of ids.
select v.id, strftime('%Y-%m-%dT%H:%M:%SZ', v.id / 1048576, 'unixepoch') as time,
  v.session_id as session, v.visitor_id as visitor, h.name as host, p.path as page, t.text as title, v.seconds, v.scroll
from view v
join page p on p.id = v.page_id
join host h on h.id = p.host_id
left join label t on t.id = v.title_id
where v.id >= @first_view_id
  and v.id < @next_view_id
order by v.id
