-- name: find
-- Labels that nothing names.
insert into temp.unused_label (id)
select id
from main.label
where id not in (select id from temp.named_label)

-- name: newest
-- How many labels are unused, and the newest raw rows: to find those that are added in the meantime.
select
  (select count(*) from temp.unused_label) as unused,
  (select ifnull(max(id), 0) from main.view) as view,
  (select ifnull(max(id), 0) from main.event) as event

-- name: choose
insert into temp.swept_label (id)
select id
from temp.unused_label
limit @bite

-- name: keep
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
  select name_id from event_name
  union all
  select title_id from page
  union all
  select title_id from cms_page
  union all
  select key from revenue_period where kind in ('channel', 'coupon')
)

-- name: count
-- How many labels the batch deletes.
select count(*) as labels
from temp.swept_label

-- name: sweep.begin.script
-- Temporary tables of labels that nothing names, and of those that a batch deletes.
create temp table if not exists unused_label (id integer primary key);
create temp table if not exists swept_label (id integer primary key);
delete from temp.unused_label;
delete from temp.swept_label;

-- name: sweep.take.script
-- The batch is not looked at again, whether or not its labels are deleted.
delete from temp.unused_label
where id in (select id from temp.swept_label);

-- name: sweep.delete.script
-- Deletes the chosen labels, and what is known of events by them.
delete from event_value
where key_id in (select id from temp.swept_label)
  or value_id in (select id from temp.swept_label);

delete from event_key
where key_id in (select id from temp.swept_label);

delete from label
where id in (select id from temp.swept_label);

delete from temp.swept_label;
