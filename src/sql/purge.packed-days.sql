delete from packed_day
where day in (
  select day
  from packed_day
  where day < @before
  order by day
  limit @bite
)
