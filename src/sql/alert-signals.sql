-- name: alert.signals
-- Whether there is anything that alerts of missing pages and of goals can be about.
select exists (
    select 1
    from event_name
    where name_id = (select id from label where hash = text_hash('not_found') and text = 'not_found')
  ) as not_found,
  exists (select 1 from goal) as goal
