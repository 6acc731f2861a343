delete from session
where id >= @low
  and id < @high
