-- Whether events of a name have ever come.
select exists (
  select 1
  from main.event_rollup
  where name_id = (select id from label where text = @name)
) as known
