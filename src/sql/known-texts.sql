-- name: find
-- The texts that the CMS has said, or that ten visits on two days hold: as a page, a host, a source or an event. Of days
-- with visits the last ten are enough, because there are at least two and each has one.
with asked as (
  select value as text
  from json_each(@texts)
),
addressed as (
  select a.text, p.id
  from asked a
  cross join page p on p.path = substr(a.text, instr(a.text, '/'))
  where instr(a.text, '/') > 0
    and (
      instr(a.text, '/') = 1
      or p.host_id in (select id from host where name = substr(a.text, 1, instr(a.text, '/') - 1))
    )
),
sent as (
  select source as text, id
  from origin
  where source in (select text from asked)
  union
  select domain, id
  from origin
  where domain in (select text from asked)
),
happened as (
  select a.text, l.id
  from asked a
  cross join label l on l.hash = text_hash(a.text) and l.text = a.text
)
select text
from addressed
where id in (select page_id from cms_page)
union
select text
from asked
where text in (select author from cms_page union all select resource_type from cms_page)
union
select text
from addressed a
where (
    select count(*) > 1 and sum(sessions) >= 10
    from (
      select r.sessions
      from main.site_day d
      cross join main.page_rollup r on r.period = d.day and r.page_id = a.id
      where r.sessions > 0
      order by d.day desc
      limit 10
    )
  )
union
select text
from asked a
where (
    select count(*) > 1 and sum(sessions) >= 10
    from (
      select r.sessions
      from main.site_day d
      cross join main.dimension_rollup r
        on r.dimension = 'host' and r.period = d.day and r.value = a.text and r.within = ''
      where r.sessions > 0
      order by d.day desc
      limit 10
    )
  )
union
select text
from sent s
where (
    select count(*) > 1 and sum(sessions) >= 10
    from (
      select r.sessions
      from main.site_day d
      cross join main.source_rollup r on r.period = d.day and r.origin_id = s.id
      where r.sessions > 0
      order by d.day desc
      limit 10
    )
  )
union
select text
from happened h
where (
    select count(*) > 1 and sum(sessions) >= 10
    from (
      select r.sessions
      from main.site_day d
      cross join main.event_rollup r on r.period = d.day and r.name_id = h.id
      where r.sessions > 0
      order by d.day desc
      limit 10
    )
  )
