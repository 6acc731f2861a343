-- Collection requests by outcome.
select outcome, sum(requests) as requests
from ledger
where day between @from and @to
group by outcome
order by sum(requests) desc, outcome
