-- One value of the grouped UTM keys, of visits that have at least one of them.
insert into new_utm_rollup (grouping, period, source, medium, campaign, term, content, visitors, sessions, views, bounces)
select 'source,medium,campaign,term,content', @day, ifnull(c.source, '') as source, ifnull(c.medium, '') as medium, ifnull(c.campaign, '') as campaign, ifnull(c.term, '') as term, ifnull(c.content, '') as content,
  @sign * (sum(v.visitors) + count(distinct iif(v.views > 0, v.visitor_id, null))),
  @sign * (sum(v.sessions) + count(distinct iif(v.began, v.session_id, null))),
  @sign * sum(v.views),
  @sign * (sum(v.bounces) + count(distinct iif(v.bounced, v.session_id, null)))
from visit_campaign v
join campaign c on c.id = v.id
where c.source is not null or c.medium is not null or c.campaign is not null or c.term is not null or c.content is not null
group by ifnull(c.source, ''), ifnull(c.medium, ''), ifnull(c.campaign, ''), ifnull(c.term, ''), ifnull(c.content, '')
