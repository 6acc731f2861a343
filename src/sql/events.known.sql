-- Whether an event name is known: event_name has it immediately, event_rollup also has days imported from an archive.
select exists (
  select 1
  from main.event_name
  where name_id = (select id from label where hash = text_hash(@name) and text = @name)
) or exists (
  select 1
  from main.event_rollup
  where name_id = (select id from label where hash = text_hash(@name) and text = @name)
) as known
