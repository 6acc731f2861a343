-- name: funnel.page-names
-- The name of a page.
select id, name
from named_page
where id in (select value from json_each(@ids))
