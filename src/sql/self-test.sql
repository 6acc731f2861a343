-- name: raw-rows
-- How many raw rows a throw-away file has; one row.
select (select count(*) from view) as views,
  (select count(*) from session) as sessions,
  (select count(*) from event) as events,
  (select ifnull(sum(views), 0) from site_day) as counted
