-- A page of what was done, newest first.
select at, who, action, details
from audit
order by id desc
limit @limit
offset @offset
