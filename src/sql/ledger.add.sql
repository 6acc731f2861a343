insert into ledger (day, outcome, requests)
values (@day, @outcome, @requests)
on conflict (day, outcome) do update
set requests = requests + excluded.requests
