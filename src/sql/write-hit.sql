-- name: view.last-id
-- The last view of a second.
select max(id) as id
from view
where id >= @first
  and id < @next

-- name: event.last-id
-- The last event of a second.
select max(id) as id
from event
where id >= @first
  and id < @next

-- name: view.add
insert into view (id, session_id, visitor_id, page_id, title_id)
values (@id, @session_id, @visitor_id, @page_id, @title_id)

-- name: view.find
-- A view by its id.
select session_id, page_id
from view
where id = @id

-- name: page-content.find
-- What trackers have said of a page.
select resource_type, resource_id, author, published_at, status
from page_content
where page_id = @page_id

-- name: page-content.save
-- The latest that trackers report about a page; what they leave out stays.
insert into page_content (page_id, resource_type, resource_id, author, published_at, status)
values (@page_id, @resource_type, @resource_id, @author, @published_at, @status)
on conflict (page_id) do update
set resource_type = ifnull(excluded.resource_type, resource_type),
  resource_id = ifnull(excluded.resource_id, resource_id),
  author = ifnull(excluded.author, author),
  published_at = ifnull(excluded.published_at, published_at),
  status = ifnull(excluded.status, status)

-- name: view.engage
-- The largest values count, so repeated and late updates do no harm.
update view
set seconds = iif(@seconds is null, seconds, max(ifnull(seconds, 0), @seconds)),
  scroll = iif(@scroll is null, scroll, max(ifnull(scroll, 0), @scroll))
where id = @id

-- name: view.engage-more
-- Seconds are added, up to a day: Plausible's scripts send those since they last did.
update view
set seconds = iif(@seconds is null, seconds, min(86400, ifnull(seconds, 0) + @seconds)),
  scroll = iif(@scroll is null, scroll, max(ifnull(scroll, 0), @scroll))
where id = @id
