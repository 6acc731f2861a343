-- Outcomes of the requests of the last hours.
select outcome, sum(requests) as requests
from ledger_hour
where hour >= @hour
group by outcome
order by outcome
