-- One value of the grouped UTM keys, of visits that have at least one of them.
insert into new_utm_rollup (grouping, period, source, medium, campaign, term, content, visitors, sessions, views, bounces)
select 'campaign', @day, '', '', ifnull(c.campaign, '') as campaign, '', '',
  @sign * (sum(v.visitors) + count(distinct iif(v.views > 0, v.visitor_id, null))),
  @sign * (sum(v.sessions) + count(distinct iif(v.began, v.session_id, null))),
  @sign * sum(v.views),
  @sign * (sum(v.bounces) + count(distinct iif(v.bounced, v.session_id, null)))
from visit_campaign v
join campaign c on c.id = v.id
where c.campaign is not null
group by ifnull(c.campaign, '')
