-- The newest push from the CMS; fields left out keep their values.
insert into cms_page (page_id, resource_type, author, published_at, title_id)
select id, @resource_type, @author, @published_at,
  (select id from label where hash = text_hash(@title) and text = @title)
from page
where path = @page
  and (@host = '' or host_id = (select id from host where name = @host))
on conflict (page_id) do update
set resource_type = ifnull(excluded.resource_type, resource_type),
  author = ifnull(excluded.author, author),
  published_at = ifnull(excluded.published_at, published_at),
  title_id = ifnull(excluded.title_id, title_id)
