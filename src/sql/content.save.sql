-- A push from the CMS is the newest version; fields left out keep their values.
insert into page_content (page_id, resource_type, author, published_at, title)
select id, @resource_type, @author, @published_at, @title
from page
where path = @page
on conflict (page_id) do update
set resource_type = ifnull(excluded.resource_type, resource_type),
  author = ifnull(excluded.author, author),
  published_at = ifnull(excluded.published_at, published_at),
  title = ifnull(excluded.title, title)
