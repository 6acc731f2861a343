-- name: archive.goal.list
-- A goal, without its number.
select name, kind, pattern, threshold, property, value_from, value
from goal
order by position, id

-- name: archive.funnel.list
-- A funnel, without its number.
select name, steps, strict
from funnel
order by name

-- name: archive.goal-day.list
-- What a goal counted on a day without single visits.
select g.name, d.sessions, d.visitors, d.total, d.value, d.orders
from goal_day d
join goal g on g.id = d.goal_id
where d.day = @day
order by g.name

-- name: archive.funnel-step.list
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
