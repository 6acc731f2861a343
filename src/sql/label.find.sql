-- The id of a text.
select id
from label
where text = @text
