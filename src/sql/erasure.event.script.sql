-- All events of a name: their keys and values, and their rows in rollups.
insert into temp.erased_event (id)
select id
from event
where name_id in (select id from temp.target);

insert into temp.erased_label (id)
select id from temp.target
union
select key_id from event_key where name_id in (select id from temp.target)
union
select value_id from event_value where name_id in (select id from temp.target);

delete from event_rollup
where name_id in (select id from temp.target);

delete from event_page_rollup
where name_id in (select id from temp.target);

delete from event_property_rollup
where name_id in (select id from temp.target);

delete from event_value
where name_id in (select id from temp.target);

delete from event_key
where name_id in (select id from temp.target);

delete from event_name
where name_id in (select id from temp.target);
