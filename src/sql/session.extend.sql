-- An extended session. Its other columns stay; only the index of the few long sessions has one of these.
update session
set ended_at = @ended_at,
  views = @views,
  events = @events,
  exit_page_id = @exit_page_id
where id = @id
