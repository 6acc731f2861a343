-- Sessions that ended before; one that goes on keeps its row for the views that stay.
delete from session
where id in (
  select id
  from session
  where started_at < @second
    and ended_at < @second
  order by started_at
  limit @bite
)
