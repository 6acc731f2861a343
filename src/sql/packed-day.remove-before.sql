delete from packed_day
where day in (
  select day
  from packed_day
  where day < @day
  order by day
  limit @limit
)
