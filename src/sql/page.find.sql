-- The id of a page.
select id
from page
where path = @path
  and host_id = @host_id
