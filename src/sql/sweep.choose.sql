insert into temp.swept_label (id)
select id
from temp.unused_label
limit @bite
