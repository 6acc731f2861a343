-- A wanted UTM value, or a pattern, with the numbers of the campaigns that fit; '' is none.
with known as (
  select id, fold(case @key
    when 'utm_source' then source
    when 'utm_medium' then medium
    when 'utm_campaign' then campaign
    when 'utm_term' then term
    else content
  end) as text
  from campaign
)
select wanted, json_group_array(id) as ids
from (
  select ifnull(text, '') as wanted, id
  from known
  where ifnull(text, '') in (select value from json_each(@values))
  union all
  select *
  from (
    select w.value, k.id
    from json_each(@patterns) w
    cross join known k
    where fits(k.text, w.value)
    limit @limit
  )
)
group by wanted
