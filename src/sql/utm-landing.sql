-- name: cross.landing
-- Pairs of campaign and landing page.
select c.campaign as utm_campaign, p.name as page, count(*) as sessions, sum(s.views = 1 and s.events = 0) as bounces
from session s
join campaign c on c.id = s.campaign_id
join named_page p on p.id = s.entry_page_id
where s.started_at >= @start
  and s.started_at < @end
  and c.campaign is not null
  and s.id not in (select session_id from left_out)
group by c.campaign, p.name
order by count(*) desc, c.campaign, p.name
limit @limit offset @offset
