-- How many annotations there are.
select count(*) as annotations
from annotation
