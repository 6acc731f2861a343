-- name: visits
-- Visits of a day with the same evidence; a day is [day, start, end] in seconds.
select d.value ->> 0 as day, s.evidence, s.suspect, count(*) as visits
from json_each(@days) d
cross join session s indexed by "session#evidence"
  on s.evidence <> 0
  and s.started_at >= d.value ->> 1
  and s.started_at < d.value ->> 2
group by day, s.evidence, s.suspect

-- name: countries
-- Visits from networks of servers by country, most first.
select p.country, count(*) as visits
from session s indexed by "session#evidence"
left join place p on p.id = s.place_id
where s.evidence <> 0
  and s.started_at >= @start
  and s.started_at < @end
  and s.evidence & @network <> 0
group by p.country
order by count(*) desc, p.country
limit @limit

-- name: days
-- Visits in the figures of a day, and requests of bots that said so.
select d.value ->> 0 as day, ifnull(s.sessions, 0) as sessions, (
    select ifnull(sum(requests), 0)
    from ledger
    where day = d.value ->> 0
      and outcome = 'bot'
  ) as refused
from json_each(@days) d
left join site_day s on s.day = d.value ->> 0

-- name: left-out
-- What the suspect visits that are in no figure come to; visitors are counted by day.
select count(*) as sessions, ifnull(sum(s.views), 0) as views,
  count(distinct s.visitor_id) as visitors,
  count(*) filter (where s.views = 1 and s.events = 0) as bounces
from left_out l
join session s on s.id = l.session_id
where s.started_at >= @start
  and s.started_at < @end

-- name: choice
-- What is done with suspect visits, as JSON.
select value
from installation
where name = 'suspects'

-- name: behind
-- Days that are still to be recalculated.
select count(*) as days
from dirty_day
where day < @today
