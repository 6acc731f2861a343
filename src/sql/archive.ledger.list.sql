-- The outcomes of the requests of a day.
select outcome, requests
from ledger
where day = @day
order by outcome
