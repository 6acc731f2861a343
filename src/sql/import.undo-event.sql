delete from event
where id >= @first_view_id
  and id < @next_view_id
  and visitor_id >= @low
  and visitor_id < @high
