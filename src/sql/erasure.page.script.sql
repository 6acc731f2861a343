-- A page: its views, the events on it, its titles, and its rows in rollups.
insert into temp.erased_view (id)
select id
from view
where page_id in (select id from temp.target);

insert into temp.erased_event (id)
select id
from event
where page_id in (select id from temp.target);

insert into temp.erased_label (id)
select title_id from page where id in (select id from temp.target) and title_id is not null
union
select title_id from title_day where page_id in (select id from temp.target)
union
select title_id from view where id in (select id from temp.erased_view) and title_id is not null
union
select title_id from cms_page where page_id in (select id from temp.target) and title_id is not null;

delete from title_day
where page_id in (select id from temp.target);

delete from page_rollup
where page_id in (select id from temp.target);

delete from event_page_rollup
where page_id in (select id from temp.target);

update funnel_step_day
set next = (
  select json_group_array(json(value))
  from json_each(next)
  where value ->> 0 not in (select id from temp.target)
)
where exists (select 1 from json_each(next) where value ->> 0 in (select id from temp.target));

delete from cms_page
where page_id in (select id from temp.target);

delete from page_content
where page_id in (select id from temp.target);

delete from page
where id in (select id from temp.target);
