-- The latest that trackers report about a page; what they leave out stays.
insert into page_content (page_id, resource_type, resource_id, author, published_at, status)
values (@page_id, @resource_type, @resource_id, @author, @published_at, @status)
on conflict (page_id) do update
set resource_type = ifnull(excluded.resource_type, resource_type),
  resource_id = ifnull(excluded.resource_id, resource_id),
  author = ifnull(excluded.author, author),
  published_at = ifnull(excluded.published_at, published_at),
  status = ifnull(excluded.status, status)
