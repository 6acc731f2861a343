-- Labels that have been named since the unused ones were looked for.
delete from temp.swept_label
where id in (
  select title_id from view where id > @view
  union all
  select name_id from event where id > @event
  union all
  select key_id from event_property where event_id > @event
  union all
  select value_id from event_property where event_id > @event
  union all
  select screen_id from session where started_at >= @second
  union all
  select language_id from session where started_at >= @second
  union all
  select timezone_id from session where started_at >= @second
  union all
  select name_id from event_name
  union all
  select title_id from page
  union all
  select title_id from cms_page
  union all
  select key from revenue_period where kind in ('channel', 'coupon')
)
