-- A session that was extended: its other columns stay, and no index but that of the few long sessions has these.
update session
set ended_at = @ended_at,
  views = @views,
  events = @events,
  exit_page_id = @exit_page_id
where id = @id
