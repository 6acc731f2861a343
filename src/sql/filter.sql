-- name: pages
-- A wanted page, or a pattern, with the numbers of the pages that fit. A text that does not begin like a path is one with
-- its host: example.org/blog. After a @gap it is one of an unknown host.
select wanted, json_group_array(id) as ids
from (
  select path as wanted, id
  from page
  where path in (select value from json_each(@values))
  union all
  select w.value, p.id
  from json_each(@values) w
  cross join host h on h.name = substr(w.value, 1, instr(w.value, '/') - 1)
  cross join page p on p.path = substr(w.value, instr(w.value, '/')) and p.host_id = h.id
  where instr(w.value, '/') > 1
  union all
  select w.value, p.id
  from json_each(@values) w
  cross join host h on h.name = ''
  cross join page p on p.path = substr(w.value, 2) and p.host_id = h.id
  where substr(w.value, 1, 1) = @gap
  union all
  select *
  from (
    select w.value, p.id
    from json_each(@patterns) w
    cross join page p
    where fits(p.path, w.value)
      or (substr(w.value, 1, 1) not in ('/', '(', @gap) and fits((select name from host where id = p.host_id) || p.path, w.value))
    limit @limit
  )
)
group by wanted

-- name: hosts
-- A wanted host, or a pattern, with the numbers of the hosts that fit; '' is the unknown one.
with known as (
  select id, fold(name) as text
  from host
)
select wanted, json_group_array(id) as ids
from (
  select text as wanted, id
  from known
  where text in (select value from json_each(@values))
  union all
  select w.value, k.id
  from json_each(@patterns) w
  cross join known k
  where fits(k.text, w.value)
)
group by wanted

-- name: events
-- A wanted event name, or a pattern, with the numbers of the names that fit.
select wanted, json_group_array(id) as ids
from (
  select text as wanted, id
  from label
  where hash in (select text_hash(value) from json_each(@values))
    and text in (select value from json_each(@values))
    and (id in (select name_id from event_name) or text = '(other)')
  union all
  select *
  from (
    select w.value, l.id
    from json_each(@patterns) w
    cross join event_name n
    cross join label l on l.id = n.name_id
    where fits(l.text, w.value)
    limit @limit
  )
)
group by wanted

-- name: origins
-- A wanted channel or source, or a pattern, with the numbers of the origins that fit.
with known as (
  select id, fold(iif(@key = 'channel', channel, source)) as text
  from origin
)
select wanted, json_group_array(id) as ids
from (
  select text as wanted, id
  from known
  where text in (select value from json_each(@values))
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

-- name: campaigns
-- A wanted UTM value, or a pattern, with the numbers of the campaigns that fit; '' is no value.
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

-- name: labels
-- A wanted text, or a pattern, with the numbers of the labels that fit.
select wanted, json_group_array(id) as ids
from (
  select text as wanted, id
  from label
  where hash in (select text_hash(value) from json_each(@values))
    and text in (select value from json_each(@values))
  union all
  select w.value, l.id
  from json_each(@patterns) w
  cross join label l
  where fits(l.text, w.value)
)
group by wanted

-- name: places
-- A wanted name of a place, with the numbers of the places that have it; '' is unknown.
select ifnull(fold(case @key
    when 'continent' then continent
    when 'country' then country
    when 'region' then region
    else city
  end), '') as wanted,
  json_group_array(id) as ids
from place
group by wanted
having wanted in (select value from json_each(@values))

-- name: clients
-- A wanted device, program or version, with the numbers of the clients that have it; '' is unknown. Versions are
-- written as reports show them.
select ifnull(fold(case @key
    when 'device' then device
    when 'browser' then browser
    when 'browser_version' then browser || ifnull(' ' || browser_version, '')
    when 'os' then os
    else os || ifnull(' ' || os_version, '')
  end), '') as wanted,
  json_group_array(id) as ids
from client
group by wanted
having wanted in (select value from json_each(@values))

-- name: properties
-- A wanted value of a property, with the numbers of its spellings.
select fold(text) as wanted, json_group_array(id) as ids
from label
where id in (
    select value_id
    from event_value
    where key_id = (select id from label where hash = text_hash(@property) and text = @property)
    union all
    select id from label where hash = text_hash('(other)') and text = '(other)'
  )
  and fold(text) in (select value from json_each(@values))
group by wanted
