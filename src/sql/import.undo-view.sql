delete from view
where id >= @first_view_id
  and id < @next_view_id
  and session_id >= @low
  and session_id < @high
