-- Pairs of campaign and landing page.
select c.campaign as utm_campaign, p.path as page, count(*) as sessions, sum(s.views = 1 and s.events = 0) as bounces
from session s
join campaign c on c.id = s.campaign_id
join page p on p.id = s.entry_page_id
where s.started_at >= @start
  and s.started_at < @end
  and c.campaign is not null
group by c.campaign, p.path
order by count(*) desc, c.campaign, p.path
limit @limit offset @offset
