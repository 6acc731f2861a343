-- An annotation.
select id, at, whole_day, text, kind, link, created_by, created_at
from annotation
where id = @id
