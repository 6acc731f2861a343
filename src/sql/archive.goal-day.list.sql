-- What a goal counted on a day without single visits.
select g.name, d.sessions, d.visitors, d.total, d.value, d.orders
from goal_day d
join goal g on g.id = d.goal_id
where d.day = @day
order by g.name
