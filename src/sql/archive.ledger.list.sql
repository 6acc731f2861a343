-- What became of requests of the day.
select outcome, requests
from ledger
where day = @day
order by outcome
