-- A value of one UTM key that holds the searched text, with its sessions.
select source || medium || campaign || term || content as value, sum(sessions) as sessions
from utm_rollup
where grouping = @grouping
  and period in (select period from temp.period)
  and (@search is null or instr(fold(source || medium || campaign || term || content), @search) > 0)
group by source, medium, campaign, term, content
having value <> ''
order by sum(sessions) desc, value
limit @limit
