-- name: outcomes
-- Collection requests by outcome; those that the operator's rules refused together.
select iif(outcome like 'rule:%', 'rule', outcome) as outcome, sum(requests) as requests
from ledger
where day between @from and @to
group by iif(outcome like 'rule:%', 'rule', outcome)
order by sum(requests) desc, 1

-- name: rules
-- Requests refused by each rule of the operator.
select substr(outcome, 6) as rule, sum(requests) as requests
from ledger
where day between @from and @to
  and outcome like 'rule:%'
group by outcome
order by sum(requests) desc, outcome
limit @limit

-- name: hosts
-- Foreign hosts, with the number of requests rejected for each.
select host, sum(requests) as requests
from foreign_host_day
where day between @from and @to
group by host
order by sum(requests) desc, host
limit @limit
