-- All visits from a referring host with their views and events, and its rows in rollups.
insert into temp.erased_session (id)
select id
from session
where origin_id in (select id from temp.target);

insert into temp.erased_view (id)
select id
from view
where session_id in (select id from temp.erased_session);

insert into temp.erased_event (id)
select id
from event
where session_id in (select id from temp.erased_session);

delete from source_rollup
where origin_id in (select id from temp.target);

-- Orders keep their channel.
insert or ignore into origin (channel, source)
select distinct channel, '(other)'
from origin
where id in (select id from temp.target);

update shop_order
set origin_id = (
  select other.id
  from origin erased
  join origin other on other.channel = erased.channel and other.source = '(other)' and other.domain is null
  where erased.id = shop_order.origin_id
)
where origin_id in (select id from temp.target);

delete from origin
where id in (select id from temp.target);
