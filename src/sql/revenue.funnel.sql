-- One stage that sessions reached.
select stage, sum(sessions) as sessions
from funnel_day
where day between @from and @to
group by stage
