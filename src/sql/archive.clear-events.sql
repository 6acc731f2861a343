delete from event
where id >= @first_view_id
  and id < @next_view_id
