-- name: content.add-host
insert into host (name)
select @host
where @host <> ''
on conflict (name) do nothing

-- name: content.add-page
-- Adds a page without any views; without a host only if no host has the page.
insert into page (path, host_id)
select @page, ifnull((select id from host where name = @host), 0)
where @host <> ''
  or not exists (select 1 from page where path = @page)
on conflict (path, host_id) do nothing

-- name: content.add-title
-- Adds the title of a page unless the text exists.
insert into label (text, hash)
select @title, text_hash(@title)
where @title is not null
  and not exists (select 1 from label where hash = text_hash(@title) and text = @title)

-- name: content.set-title
-- The title that the CMS has pushed is the page's.
update page
set title_id = (select c.title_id from cms_page c where c.page_id = page.id)
where path = @page
  and exists (select 1 from cms_page c where c.page_id = page.id and c.title_id is not null)

-- name: content.save
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
