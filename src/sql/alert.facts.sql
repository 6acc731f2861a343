-- The last view before a moment, and whether views of pages that were not found were ever told.
select (select max(id) from view where id < @next) as last_view,
  exists (
    select 1
    from event_name
    where name_id = (select id from label where hash = text_hash('not_found') and text = 'not_found')
  ) as knows_not_found
