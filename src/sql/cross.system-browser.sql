-- An operating system and a browser on it, null where unknown. Sessions are counted by number first: most share one.
with counted as (
  select client_id, count(*) as sessions, sum(views = 1 and events = 0) as bounces
  from session
  where started_at >= @start
    and started_at < @end
  group by client_id
)
select c.os, c.browser, sum(k.sessions) as sessions, sum(k.bounces) as bounces
from counted k
join client c on c.id = k.client_id
group by c.os, c.browser
order by sum(k.sessions) desc, ifnull(c.os, ''), ifnull(c.browser, '')
limit @limit offset @offset
