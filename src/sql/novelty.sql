-- name: find
-- How many new values of a kind were added on a day.
select used
from novelty
where day = @day
  and kind = @kind

-- name: add
insert into novelty (day, kind, used, refused)
values (@day, @kind, @used, @refused)
on conflict (day, kind) do update
set used = used + excluded.used,
  refused = refused + excluded.refused

-- name: remove-before
delete from novelty
where day < @day

-- name: is-named
-- Whether what logged-in people have set names a value: goals, funnels, filters of saved segments and share links, and
-- annotations of campaigns. UTM values are compared without case.
with named (filter, text) as (
  select iif(kind = 'event', 'event', 'page'), pattern
  from goal
  union all
  select 'property_key', property ->> 'key'
  from goal
  union all
  select 'property_value', property ->> 'value'
  from goal
  union all
  select iif(s.value ->> 'kind' = 'event', 'event', 'page'), s.value ->> 'pattern'
  from funnel f
  join json_each(f.steps) s
  union all
  select replace(replace(j.key, 'entry_', ''), 'exit_', ''), ltrim(j.value, '!')
  from segment g
  join json_each(g.filters) j
  union all
  select replace(replace(j.key, 'entry_', ''), 'exit_', ''), ltrim(j.value, '!')
  from share_link l
  join json_each(l.filters) j
)
select exists (
    select 1
    from named
    where filter = @filter
      and instr(',' || iif(@filter glob 'utm_*', fold(text), text) || ',', ',' || @text || ',')
  )
  or (@filter = 'utm_campaign' and exists (
    select 1
    from annotation
    where kind = 'campaign'
      and instr(' ' || fold(text) || ' ', ' ' || @text || ' ')
  )) as named
