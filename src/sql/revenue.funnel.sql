-- Funnel stages with the sessions that reached them.
select stage, sum(sessions) as sessions
from funnel_day
where day between @from and @to
group by stage
