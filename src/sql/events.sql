-- name: top
-- Events with their figures over the range. Older versions stored sums of values without a limit, up to infinity.
select l.text as name,
  sum(e.total) as total,
  sum(e.visitors) as visitors,
  sum(e.sessions) as sessions,
  ifnull(sum(e.value_sum) filter (where abs(e.value_sum) < 1e24), 0.0) as value_sum,
  max(e.last_event_id) as last_event_id
from event_rollup e
join label l on l.id = e.name_id
where e.period in (select period from temp.period)
group by e.name_id
order by sum(e.total) desc, l.text
limit @limit offset @offset

-- name: count
-- The number of distinct event names in the range.
select count(distinct name_id) as rows
from event_rollup
where period in (select period from temp.period)

-- name: days
-- Daily figures of an event. Older versions stored sums of values without a limit, up to infinity.
select e.period as day, e.total, e.visitors, e.sessions,
  iif(abs(e.value_sum) < 1e24, e.value_sum, 0.0) as value_sum
from event_rollup e
where e.name_id = (select id from label where hash = text_hash(@name) and text = @name)
  and e.period between @from and @to
  and e.period % 100 > 0
order by e.period

-- name: known
-- Whether an event name is known: event_name has it immediately, but where visits are left out, it may have it of these
-- alone; event_rollup also has days imported from an archive.
select (
  exists (
    select 1
    from main.event_name
    where name_id = (select id from label where hash = text_hash(@name) and text = @name)
  ) and not exists (select 1 from main.left_out)
) or exists (
  select 1
  from main.event_rollup
  where name_id = (select id from label where hash = text_hash(@name) and text = @name)
) as known

-- name: properties
-- The 50 most frequent values of each property of an event, with the key's total.
with x as (
  select key_id, value_id, sum(total) as total
  from event_property_rollup
  where name_id = (select id from label where hash = text_hash(@name) and text = @name)
    and period in (select period from temp.period)
  group by key_id, value_id
),
ranked as (
  select k.text as key, v.text as value, x.total,
    sum(x.total) over (partition by x.key_id) as key_total,
    row_number() over (partition by x.key_id order by x.total desc, v.text) as place
  from x
  join label k on k.id = x.key_id
  join label v on v.id = x.value_id
)
select key, value, total, key_total
from ranked
where place <= 50
order by key_total desc, key, place

-- name: pages
-- The ten pages with the most occurrences of an event.
select p.name as page, sum(e.total) as total
from event_page_rollup e
join named_page p on p.id = e.page_id
where e.name_id = (select id from label where hash = text_hash(@name) and text = @name)
  and e.period in (select period from temp.period)
group by p.name
order by sum(e.total) desc, p.name
limit 10
