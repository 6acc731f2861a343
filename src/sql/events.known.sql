-- Whether events of a name have ever come: known at once, before any rollup has them; and of days that came as an archive.
select exists (
  select 1
  from main.event_name
  where name_id = (select id from label where text = @name)
) or exists (
  select 1
  from main.event_rollup
  where name_id = (select id from label where text = @name)
) as known
