-- What the file counted itself stays.
insert into ledger (day, outcome, requests)
values (@day, @outcome, @requests)
on conflict (day, outcome) do nothing
