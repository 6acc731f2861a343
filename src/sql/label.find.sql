-- The number of a text.
select id
from label
where text = @text
