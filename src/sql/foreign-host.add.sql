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
