-- What trackers have said of a page.
select resource_type, resource_id, author, published_at, status
from page_content
where page_id = @page_id
