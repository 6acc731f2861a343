-- name: archive.csv
-- A view with the columns of its session.
select v.id, v.visitor_id as visitor, v.session_id as session, h.name as host, p.path as page, t.text as title, v.seconds, v.scroll,
  o.channel, o.source, o.domain,
  u.source as utm_source, u.medium as utm_medium, u.campaign as utm_campaign, u.term as utm_term, u.content as utm_content,
  pl.continent, pl.country, pl.region, pl.city,
  c.device, c.browser, c.browser_version, c.os, c.os_version,
  screen.text as screen, language.text as language
from view v
join page p on p.id = v.page_id
join host h on h.id = p.host_id
left join label t on t.id = v.title_id
left join session s on s.id = v.session_id
left join origin o on o.id = s.origin_id
left join campaign u on u.id = s.campaign_id
left join place pl on pl.id = s.place_id
left join client c on c.id = s.client_id
left join label screen on screen.id = s.screen_id
left join label language on language.id = s.language_id
where v.id >= @first_view_id
  and v.id < @next_view_id
  and v.session_id not in (select session_id from left_out)
order by v.id
