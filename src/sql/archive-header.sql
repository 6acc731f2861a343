-- name: installation.id
-- The random id of this file.
select value as id
from installation
where name = 'id'

-- name: archive-origin.list
-- Installations whose ids were imported, and the number of their id range.
select installation, number
from archive_origin
order by number

-- name: archive.origin-stored
-- The same without histories that were undone, unless an archive has brought their visits back.
select o.installation, o.number
from archive_origin o
where not exists (select 1 from import i where i.origin = o.number and i.undone_at is not null)
  or exists (
    select 1
    from session s
    where s.id >= o.number * 1099511627776
      and s.id < (o.number + 1) * 1099511627776
  )
order by o.number
