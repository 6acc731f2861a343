-- A share link or an application password that shows the segment only.
select 'the share link' as kind, name
from share_link
where filters ->> 'segment' = cast(cast(@id as integer) as text)
union all
select 'the application password', name
from app_password
where filters ->> 'segment' = cast(cast(@id as integer) as text)
order by kind desc, name
limit 1
