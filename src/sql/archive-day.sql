-- name: archive.session.list
-- The sessions that began on a day or have a view on it, with texts instead of ids, also those that are left out. The cross
-- join keeps SQLite from reading all sessions.
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
  screen.text as screen, language.text as language, s.evidence, s.suspect
from (
  select id
  from session
  where started_at >= @start
    and started_at < @end
  union
  select session_id
  from view
  where id >= @first_view_id
    and id < @next_view_id
) d
cross join session s on s.id = d.id
join page entry on entry.id = s.entry_page_id
join page exit on exit.id = s.exit_page_id
join origin o on o.id = s.origin_id
left join campaign u on u.id = s.campaign_id
left join place p on p.id = s.place_id
join client c on c.id = s.client_id
left join label screen on screen.id = s.screen_id
left join label language on language.id = s.language_id
order by d.id

-- name: archive.view.list
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

-- name: archive.event.list
-- The events of a day, with texts instead of ids; properties as a JSON object. Values beyond the limit are left out.
select e.id, strftime('%Y-%m-%dT%H:%M:%SZ', e.id / 1048576, 'unixepoch') as time,
  e.session_id as session, e.visitor_id as visitor, h.name as host, p.path as page, n.text as name,
  iif(abs(e.value) <= 1e12, e.value, null) as value, e.order_id, (
    select json_group_object(k.text, x.text)
    from event_property ep
    join label k on k.id = ep.key_id
    join label x on x.id = ep.value_id
    where ep.event_id = e.id
  ) as properties
from event e
join label n on n.id = e.name_id
left join page p on p.id = e.page_id
left join host h on h.id = p.host_id
where e.id >= @first_view_id
  and e.id < @next_view_id
order by e.id

-- name: archive.ledger.list
-- The outcomes of the requests of a day.
select outcome, requests
from ledger
where day = @day
order by outcome
