-- A page keeps the days of its present title, so that an archive brings this title with it.
delete from title_day
where (page_id, day, title_id) in (
  select t.page_id, t.day, t.title_id
  from title_day t
  join page p on p.id = t.page_id
  where t.day < @first
    and t.title_id is not p.title_id
  limit @bite
)
