-- How many new values of a kind came on a day.
select kind, max(used) as used
from novelty
where day >= @day
group by kind
order by kind
