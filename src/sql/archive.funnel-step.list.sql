-- A step of a funnel on a day without single visits; `next` with pages instead of their numbers.
select f.name, d.step, d.sessions,
  (
    select json_group_array(json_object('host', h.name, 'page', p.path, 'sessions', n.value ->> 1))
    from json_each(d.next) n
    left join page p on p.id = n.value ->> 0
    left join host h on h.id = p.host_id
    where n.value ->> 0 = 0
      or p.id is not null
  ) as next
from funnel_step_day d
join funnel f on f.id = d.funnel_id
where d.day = @day
order by f.name, d.step
