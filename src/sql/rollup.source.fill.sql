-- One source of visits; its domain is '' where there was no referrer.
insert into new_source_rollup (period, channel, source, domain, visitors, sessions, views, bounces)
select @day, o.channel, o.source, ifnull(o.domain, ''),
  @sign * count(distinct iif(v.views > 0, v.visitor_id, null)),
  @sign * count(distinct iif(v.began, v.session_id, null)),
  @sign * sum(v.views),
  @sign * count(distinct iif(v.bounced, v.session_id, null))
from visit v
join origin o on o.id = v.origin_id
group by o.channel, o.source, ifnull(o.domain, '')
