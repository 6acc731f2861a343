-- name: outcomes
-- Collection requests by outcome.
select outcome, sum(requests) as requests
from ledger
where day between @from and @to
group by outcome
order by sum(requests) desc, outcome

-- name: hosts
-- Foreign hosts, with the number of requests rejected for each.
select host, sum(requests) as requests
from foreign_host_day
where day between @from and @to
group by host
order by sum(requests) desc, host
limit @limit
