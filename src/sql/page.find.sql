-- The id of a page.
select id
from page
where path = @path
