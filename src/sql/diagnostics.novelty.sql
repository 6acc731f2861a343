-- The number of new values of a kind on a day.
select kind, max(used) as used
from novelty
where day >= @day
group by kind
order by kind
