-- The id of a text.
select id
from label
where hash = text_hash(@text)
  and text = @text
