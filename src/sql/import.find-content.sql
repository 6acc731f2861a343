-- The import of a content, finished or not.
select id, origin, finished_at
from import
where fingerprint = @fingerprint
