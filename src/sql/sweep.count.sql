-- How many labels the batch deletes.
select count(*) as labels
from temp.swept_label
