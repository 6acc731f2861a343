-- Visits by place: a row for all that are alone, already counted, and a row for each of the others.
insert into visit_place (id, visitors, sessions, views, bounces, visitor_id, session_id, began, bounced)
select place_id, sum(views > 0), sum(began), sum(views), sum(bounced), null, null, 0, 0
from visit
where alone
group by place_id
union all
select place_id, 0, 0, views, 0, visitor_id, session_id, began, bounced
from visit
where not alone
