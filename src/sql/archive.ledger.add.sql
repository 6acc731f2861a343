-- Existing counts are kept.
insert into ledger (day, outcome, requests)
values (@day, @outcome, @requests)
on conflict (day, outcome) do nothing
