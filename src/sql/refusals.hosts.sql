-- Foreign hosts, with the number of requests rejected for each.
select host, sum(requests) as requests
from foreign_host_day
where day between @from and @to
group by host
order by sum(requests) desc, host
limit @limit
