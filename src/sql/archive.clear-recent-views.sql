delete from recent_view
where view_id >= @first_view_id
  and view_id < @next_view_id
