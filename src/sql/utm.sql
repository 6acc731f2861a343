-- name: top
-- Combinations of values of the grouped UTM keys; null where a session has none.
select nullif(source, '') as utm_source, nullif(medium, '') as utm_medium, nullif(campaign, '') as utm_campaign,
  nullif(term, '') as utm_term, nullif(content, '') as utm_content,
  sum(visitors) as visitors,
  sum(sessions) as sessions,
  sum(views) as views,
  sum(bounces) as bounces
from utm_rollup
where grouping = @grouping
  and period in (select period from temp.period)
group by source, medium, campaign, term, content
order by sum(sessions) desc, source, medium, campaign, term, content
limit @limit offset @offset

-- name: count
-- The number of combinations of UTM values in the list.
select count(*) as rows
from (
  select 1
  from utm_rollup
  where grouping = @grouping
    and period in (select period from temp.period)
  group by source, medium, campaign, term, content
)
