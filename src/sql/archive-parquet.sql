-- name: archive.parquet-visit.list
-- The visits that began in a time span, with texts instead of ids.
select s.id as visit_id, s.visitor_id, s.rekeyed_visitor_id, s.started_at, s.ended_at, s.views, s.events,
  s.views = 1 and s.events = 0 as bounced,
  (select nullif(name, '') from host where id = entry.host_id) as entry_host, entry.path as entry_page,
  (select nullif(name, '') from host where id = exit.host_id) as exit_host, exit.path as exit_page,
  o.channel, o.source, o.domain as source_domain,
  u.source as utm_source, u.medium as utm_medium, u.campaign as utm_campaign, u.term as utm_term, u.content as utm_content,
  p.continent, p.country, p.region, p.city,
  c.device, c.browser, c.browser_version, c.os, c.os_version,
  screen.text as screen_width_px, language.text as language
from session s
join page entry on entry.id = s.entry_page_id
join page exit on exit.id = s.exit_page_id
join origin o on o.id = s.origin_id
left join campaign u on u.id = s.campaign_id
left join place p on p.id = s.place_id
join client c on c.id = s.client_id
left join label screen on screen.id = s.screen_id
left join label language on language.id = s.language_id
where s.started_at >= @start
  and s.started_at < @end
  and s.id not in (select session_id from left_out)
order by s.started_at, s.id

-- name: archive.parquet-visit.last-end
-- When the visits that began in a time span were last heard of; null without any.
select max(ended_at) as second
from session
where started_at >= @start
  and started_at < @end

-- name: archive.parquet-view.list
-- The page views of a day, with texts instead of ids.
select v.id as view_id, v.session_id as visit_id, v.visitor_id, v.id / 1048576 as viewed_at,
  nullif(h.name, '') as host, p.path as page, t.text as title, v.seconds as visible_seconds, v.scroll as scroll_percent
from view v
join page p on p.id = v.page_id
join host h on h.id = p.host_id
left join label t on t.id = v.title_id
where v.id >= @first_view_id
  and v.id < @next_view_id
  and v.session_id not in (select session_id from left_out)
order by v.id

-- name: archive.parquet-event.list
-- The events of a day, with texts instead of ids; properties as a JSON object. Values beyond the limit are left out.
select e.id as event_id, e.session_id as visit_id, e.visitor_id, e.id / 1048576 as happened_at,
  nullif(h.name, '') as host, p.path as page, n.text as name,
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
  and (e.session_id is null or e.session_id not in (select session_id from left_out))
order by e.id
