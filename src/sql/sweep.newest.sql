-- How many labels are unused, and the newest raw rows: to find those that are added in the meantime.
select
  (select count(*) from temp.unused_label) as unused,
  (select ifnull(max(id), 0) from main.view) as view,
  (select ifnull(max(id), 0) from main.event) as event
