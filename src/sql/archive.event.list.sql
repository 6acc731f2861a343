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
