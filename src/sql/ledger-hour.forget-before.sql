delete from ledger_hour
where hour < @hour
