-- A session that went on: what else a session has stays, and no index has any of this but of the few long ones.
update session
set ended_at = @ended_at,
  views = @views,
  events = @events,
  exit_page_id = @exit_page_id
where id = @id
