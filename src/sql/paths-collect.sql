-- name: segment.path-node.add
insert into temp.path_node (step, kind, id, sessions, ends)
values (@step, @kind, @id, @sessions, @ends)

-- name: segment.path-step.list
-- A step of a selected session that began on the day, in the order of its path: a page by its number, an event by the
-- negative one of its name. Within a second views come before events.
with begun as (
  select id, ended_at,
    (select included from temp.active_filter where filter = 'host') is null
      or entry_page_id in (select id from temp.host_page) as began,
    (select included from temp.active_filter where filter = 'host') is null
      or exit_page_id in (select id from temp.host_page) as ended
  from temp.selected_session
  where started_at >= @start
    and started_at < @end
),
steps as (
  select session_id, page_id as node, id / 1048576 as second, 0 as kind, id
  from main.view
  where id >= @first_view_id
    and id < (select (max(ended_at) + 1) * 1048576 from begun)
    and +session_id in (select id from begun)
    and ((select included from temp.active_filter where filter = 'page') is null
      or (page_id in (select id from temp.filter_value where filter = 'page')) = (select included from temp.active_filter where filter = 'page'))
    and ((select included from temp.active_filter where filter = 'host') is null or page_id in (select id from temp.host_page))
  union all
  select session_id, -name_id, id / 1048576, 1, id
  from main.event
  where @events
    and id >= @first_view_id
    and id < (select (max(ended_at) + 1) * 1048576 from begun)
    and +session_id in (select id from begun)
    and ((select included from temp.active_filter where filter = 'host') is null or page_id in (select id from temp.host_page))
    and ((select included from temp.active_filter where filter = 'event_page') is null
      or (page_id in (select id from temp.filter_value where filter = 'event_page')) = (select included from temp.active_filter where filter = 'event_page'))
)
select s.session_id as session, s.node, b.began, b.ended
from steps s
join begun b on b.id = s.session_id
order by s.session_id, s.second, s.kind, s.id

-- name: segment.page-names.list
-- A page of an unknown host that reports name like a page of the only known host, and that page.
select p.id, q.id as same
from page p
join page q on q.path = p.path and q.id <> p.id
where p.host_id in (select id from host where name = '')
  and (select count(*) from host where name <> '') < 2
