-- name: add
insert into ledger (day, outcome, requests)
values (@day, @outcome, @requests)
on conflict (day, outcome) do update
set requests = requests + excluded.requests

-- name: ledger-hour.add
insert into ledger_hour (hour, outcome, requests)
values (@hour, @outcome, @requests)
on conflict (hour, outcome) do update
set requests = requests + excluded.requests

-- name: ledger-hour.forget-before
delete from ledger_hour
where hour < @hour

-- name: foreign-host.add
-- Hosts beyond the maximum of a day are counted together.
insert into foreign_host_day (day, host, requests)
select @day, iif(
  exists (select 1 from foreign_host_day where day = @day and host = @host)
    or (select count(*) from foreign_host_day where day = @day) < @max,
  @host, @other
), @requests
where true
on conflict (day, host) do update
set requests = requests + excluded.requests
