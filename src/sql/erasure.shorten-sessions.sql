-- A visit that keeps some of its views begins and ends with what is left.
update session
set views = (select count(*) from temp.left_view v where v.session_id = session.id),
  events = (select count(*) from temp.left_event e where e.session_id = session.id and e.active),
  started_at = min(
    (select min(v.id) / 1048576 from temp.left_view v where v.session_id = session.id),
    ifnull((select min(e.id) / 1048576 from temp.left_event e where e.session_id = session.id), 9e15)
  ),
  ended_at = min(ended_at, max(
    (select max(v.ended_at) from temp.left_view v where v.session_id = session.id),
    ifnull((select max(e.id) / 1048576 from temp.left_event e where e.session_id = session.id), 0)
  )),
  entry_page_id = (select v.page_id from temp.left_view v where v.session_id = session.id order by v.id limit 1),
  exit_page_id = (select v.page_id from temp.left_view v where v.session_id = session.id order by v.id desc limit 1)
where id in (select id from temp.erased_session)
