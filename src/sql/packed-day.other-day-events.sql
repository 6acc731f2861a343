-- One event on another day of a session that is active on the day, in the order of the session's path.
with crossing as (
  select id, ended_at
  from session
  where started_at >= @earliest
    and started_at < @end
    and (started_at < @start or ended_at >= @end)
    and id in (
      select id from temp.day_session
      union
      select e.session_id from temp.day_event d join main.event e on e.id = d.id
    )
)
select session_id as session,
  name_id as name,
  ifnull(page_id, 0) as page,
  id / 1048576 - cast(@earliest as integer) as second
from main.event
where id >= @earliest * 1048576
  and id < (select max(ended_at) + 1 from crossing) * 1048576
  and (id < @first_view_id or id >= @next_view_id)
  and session_id in (select id from crossing)
order by session_id, id
