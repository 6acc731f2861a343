-- The id of a session's origin; the expression is that of the index.
select id
from origin
where channel = @channel
  and source = @source
  and ifnull(domain, '') = ifnull(@domain, '')
