-- name: left-out.add
insert or ignore into left_out (session_id)
values (@id)

-- name: left-out.remove
delete from left_out
where session_id = @id

-- name: session.trust
-- A visit that bought something.
update session
set evidence = evidence | @bought,
  suspect = 0
where id = @id

-- name: session.judge
update session
set evidence = @evidence,
  suspect = @suspect
where id = @id

-- name: session.judged
-- A visit as it was judged so far.
select id, started_at, ended_at, evidence, suspect, id in (select session_id from left_out) as is_left_out
from session
where id = @id

-- name: session.with-evidence
-- A visit that any rule fired for, after another one in the order of their beginnings.
select started_at, id
from session indexed by "session#evidence"
where evidence <> 0
  and (started_at, id) > (@started_at, @id)
order by started_at, id
limit @limit

-- name: session.ended
-- A visit with evidence that ended in a time span, and what its end tells. Visits of more than two days are not judged
-- again.
with ended as materialized (
  select id, started_at, ended_at
  from session indexed by "session#evidence"
  where evidence <> 0
    and started_at > @from - 172800
    and started_at <= @until
    and ended_at > @from
    and ended_at <= @until
),
viewed as (
  select session_id, seconds, scroll,
    id / 1048576 - lag(id / 1048576) over (partition by session_id order by id) as gap
  from view
  where id >= (select min(started_at) * 1048576 from ended)
    and id < (select (max(ended_at) + 1) * 1048576 from ended)
    and session_id in (select id from ended)
)
select e.id, e.started_at, e.ended_at, s.events,
  count(*) as views,
  count(*) filter (where v.seconds >= 2) as read_views,
  ifnull(sum(v.seconds), 0) as seconds,
  ifnull(sum(v.scroll), 0) as scroll,
  ifnull(min(v.gap), 0) as shortest_gap,
  ifnull(max(v.gap), 0) as longest_gap
from ended e
join session s on s.id = e.id
join viewed v on v.session_id = e.id
group by e.id

-- name: session.has-events
-- Whether a visit has events.
select exists (
  select 1
  from event
  where id >= @started_at * 1048576
    and id < (@ended_at + 1) * 1048576
    and session_id = @id
) as found

-- name: session.evidence
-- Visits of a day with the same evidence.
select evidence, count(*) as visits
from session
where started_at >= @start
  and started_at < @end
group by evidence

-- name: session.suspects
-- Suspect visits that began in a time span.
select count(*) as visits
from session indexed by "session#evidence"
where evidence <> 0
  and suspect = 1
  and started_at >= @start
  and started_at < @end
