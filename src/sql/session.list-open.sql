-- A session that a record may still join, with the first and last of its views since @first_view_id, or null.
with open as (
  select *
  from session
  where started_at >= @since - 21600
    and ended_at >= @since
  union all
  select *
  from session
  where started_at < @since - 21600
    and ended_at >= @since
    and ended_at - started_at > 21600
),
seen as (
  select session_id, count(*) as views, min(id) as entry_view_id, max(id) as exit_view_id
  from view
  where id >= @first_view_id
  group by session_id
)
select o.*, v.views as seen_views, v.entry_view_id, v.exit_view_id
from open o
left join seen v on v.session_id = o.id
