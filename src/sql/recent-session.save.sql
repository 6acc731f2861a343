insert into recent_session (session_id, entry_view_id, exit_view_id)
values (@id, @entry_view_id, @exit_view_id)
on conflict (session_id) do update
set entry_view_id = excluded.entry_view_id,
  exit_view_id = excluded.exit_view_id
