-- A kind of which new values were counted as (other), and how many.
select kind, sum(refused) as refused
from novelty
where day >= @day
  and refused > 0
group by kind
order by kind
