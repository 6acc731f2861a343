-- How many entries there are.
select count(*) as entries
from audit
