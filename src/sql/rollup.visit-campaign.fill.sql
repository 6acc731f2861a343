-- Visits by campaign: a row for all that are alone, already counted, and a row for each of the others.
insert into visit_campaign (id, visitors, sessions, views, bounces, visitor_id, session_id, began, bounced)
select campaign_id, sum(views > 0), sum(began), sum(views), sum(bounced), null, null, 0, 0
from visit
where alone
  and campaign_id is not null
group by campaign_id
union all
select campaign_id, 0, 0, views, 0, visitor_id, session_id, began, bounced
from visit
where not alone
  and campaign_id is not null
