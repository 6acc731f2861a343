-- Ids used to detect duplicates for 48 hours, in one table instead of four.
create table recent_id (
  kind text not null check (kind in ('view', 'event')),
  -- 0 for an id that is unique across the site; a short one is unique within its visitor only.
  visitor_id integer not null,
  -- The first 8 bytes of the id's SHA-256; a short id as it is.
  key blob not null,
  -- The view or the event. A change of consent can bring two of one id together.
  id integer not null,
  primary key (kind, visitor_id, key, id)
) strict, without rowid;
create index "recent_id#id" on recent_id (id);

insert into recent_id (kind, visitor_id, key, id)
select 'view', 0, hash, view_id
from recent_view
union all
select 'view', visitor_id, cast(pvid as blob), view_id
from recent_short_view
union all
select 'event', 0, hash, event_id
from recent_event
union all
select 'event', visitor_id, cast(event_key as blob), event_id
from recent_short_event;

drop table recent_view;
drop table recent_short_view;
drop table recent_event;
drop table recent_short_event;
