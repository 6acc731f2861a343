-- One source of visits; its domain is '' where there was no referrer.
insert into new_source_rollup (period, channel, source, domain, visitors, sessions, views, bounces)
select @day, o.channel, o.source, ifnull(o.domain, ''),
  @sign * (sum(v.visitors) + count(distinct iif(v.views > 0, v.visitor_id, null))),
  @sign * (sum(v.sessions) + count(distinct iif(v.began, v.session_id, null))),
  @sign * sum(v.views),
  @sign * (sum(v.bounces) + count(distinct iif(v.bounced, v.session_id, null)))
from visit_origin v
join origin o on o.id = v.id
group by o.channel, o.source, ifnull(o.domain, '')
