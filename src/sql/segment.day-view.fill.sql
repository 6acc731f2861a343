-- The selected views of the day. The unary plus makes SQLite apply a filter before the list, which rejects most early.
insert into temp.day_view (session_id, id, visitor_id, page_id, title_id, seconds, scroll)
select session_id, id, visitor_id, page_id, title_id, seconds, scroll
from main.view
where id >= @first_view_id
  and id < @next_view_id
  and +session_id in (select +id from temp.selected_session)
  and ((select included from temp.active_filter where filter = 'page') is null
    or (page_id in (select id from temp.filter_value where filter = 'page')) = (select included from temp.active_filter where filter = 'page'))
  and ((select included from temp.active_filter where filter = 'host') is null or page_id in (select id from temp.host_page))
