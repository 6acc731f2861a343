delete from event
where id in (
  select id
  from event
  where id < @before
  order by id
  limit @bite
)
