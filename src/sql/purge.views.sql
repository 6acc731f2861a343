delete from view
where id in (
  select id
  from view
  where id < @before
  order by id
  limit @bite
)
