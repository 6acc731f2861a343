-- A host beyond the most a day may have is counted as the other ones.
insert into foreign_host_day (day, host, requests)
select @day, iif(
  exists (select 1 from foreign_host_day where day = @day and host = @host)
    or (select count(*) from foreign_host_day where day = @day) < @most,
  @host, @other
), @requests
where true
on conflict (day, host) do update
set requests = requests + excluded.requests
