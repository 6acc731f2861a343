-- Sessions of listed combinations of UTM values.
select nullif(source, '') as utm_source, nullif(medium, '') as utm_medium, nullif(campaign, '') as utm_campaign,
  sum(sessions) as sessions
from utm_rollup
where grouping = 'source,medium,campaign'
  and period in (select period from temp.period)
  and (source, medium, campaign) in (select value ->> 0, value ->> 1, value ->> 2 from json_each(@listed))
group by source, medium, campaign
