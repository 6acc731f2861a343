-- The foreign host with the most rejected requests since a day.
select host, sum(requests) as requests
from foreign_host_day
where day >= @day
group by host
order by sum(requests) desc, host
limit 1
