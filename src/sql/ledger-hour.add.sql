insert into ledger_hour (hour, outcome, requests)
values (@hour, @outcome, @requests)
on conflict (hour, outcome) do update
set requests = requests + excluded.requests
