-- Visits by origin: a row for all that are alone, already counted, and a row for each of the others.
insert into visit_origin (id, visitors, sessions, views, bounces, visitor_id, session_id, began, bounced)
select origin_id, sum(views > 0), sum(began), sum(views), sum(bounced), null, null, 0, 0
from visit
where alone
group by origin_id
union all
select origin_id, 0, 0, views, 0, visitor_id, session_id, began, bounced
from visit
where not alone
