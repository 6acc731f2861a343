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
