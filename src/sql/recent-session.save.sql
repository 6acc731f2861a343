insert into recent_session (session_id, ended_at, entry_view_id, exit_view_id)
values (@id, @ended_at, @entry_view_id, @exit_view_id)
on conflict (session_id) do update
set ended_at = excluded.ended_at,
  entry_view_id = excluded.entry_view_id,
  exit_view_id = excluded.exit_view_id
