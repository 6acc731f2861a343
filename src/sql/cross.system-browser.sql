-- An operating system and a browser on it, null where unknown.
select c.os, c.browser, count(*) as sessions, sum(s.views = 1 and s.events = 0) as bounces
from session s
join client c on c.id = s.client_id
where s.started_at >= @start
  and s.started_at < @end
group by c.os, c.browser
order by count(*) desc, ifnull(c.os, ''), ifnull(c.browser, '')
limit @limit offset @offset
