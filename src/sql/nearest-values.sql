-- name: filter.near-values
-- A known value of a filter that begins like the text, or is of about its length.
with known as (
  select path as text from page where @key in ('page', 'entry_page', 'exit_page')
  union all
  select name from host where @key = 'host'
  union all
  select distinct source from origin where @key = 'source'
  union all
  select distinct source from campaign where @key = 'utm_source'
  union all
  select distinct medium from campaign where @key = 'utm_medium'
  union all
  select distinct campaign from campaign where @key = 'utm_campaign'
  union all
  select distinct term from campaign where @key = 'utm_term'
  union all
  select distinct content from campaign where @key = 'utm_content'
  union all
  select distinct region from place where @key = 'region'
  union all
  select distinct city from place where @key = 'city'
  union all
  select distinct browser from client where @key = 'browser'
  union all
  select distinct browser || ' ' || browser_version from client where @key = 'browser_version'
  union all
  select distinct os from client where @key = 'os'
  union all
  select distinct os || ' ' || os_version from client where @key = 'os_version'
  union all
  select l.text from event_name n join label l on l.id = n.name_id where @key = 'event'
  union all
  select distinct l.text
  from event_value e
  join label l on l.id = e.value_id
  where @key = 'property'
    and e.key_id = (select id from label where hash = text_hash(@property) and text = @property)
)
select text
from known
where text is not null
  and (abs(length(text) - @length) <= 2 or fold(substr(text, 1, length(@start))) = @start)
order by fold(substr(text, 1, length(@start))) = @start desc, abs(length(text) - @length)
limit @limit
