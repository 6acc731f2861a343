-- The sessions of the current day, with texts instead of ids. The cross join keeps SQLite from reading all sessions.
select s.id, s.visitor_id as visitor, s.rekeyed_visitor_id as rekeyed_visitor,
  strftime('%Y-%m-%dT%H:%M:%SZ', s.started_at, 'unixepoch') as started_at,
  strftime('%Y-%m-%dT%H:%M:%SZ', s.ended_at, 'unixepoch') as ended_at,
  s.views, s.events,
  (select name from host where id = entry.host_id) as entry_host, entry.path as entry_page,
  (select name from host where id = exit.host_id) as exit_host, exit.path as exit_page,
  o.channel, o.source, o.domain,
  u.source as utm_source, u.medium as utm_medium, u.campaign as utm_campaign, u.term as utm_term, u.content as utm_content,
  p.continent, p.country, p.region, p.city,
  c.device, c.browser, c.browser_version, c.os, c.os_version,
  screen.text as screen, language.text as language, timezone.text as timezone
from day_session d
cross join session s on s.id = d.id
join page entry on entry.id = s.entry_page_id
join page exit on exit.id = s.exit_page_id
join origin o on o.id = s.origin_id
left join campaign u on u.id = s.campaign_id
left join place p on p.id = s.place_id
join client c on c.id = s.client_id
left join label screen on screen.id = s.screen_id
left join label language on language.id = s.language_id
left join label timezone on timezone.id = s.timezone_id
order by d.id
