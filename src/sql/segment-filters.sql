-- name: segment.filter.add
insert into temp.active_filter (filter, included)
values (@filter, @included)

-- name: segment.filter-value.add
insert into temp.filter_value (filter, id)
select distinct @filter, value
from json_each(@ids)

-- name: segment.filter-property.add
insert into temp.filter_property (filter, key_id, value_id)
select distinct @filter, l.id, j.value
from main.label l
cross join json_each(@ids) j
where l.hash = text_hash(@key)
  and l.text = @key

-- name: segment.filter-time.add
insert into temp.filter_time (start, end)
select value ->> 0, value ->> 1
from json_each(@times)

-- name: segment.host-page.fill
insert into temp.host_page (id)
select id
from main.page
where (host_id in (select id from temp.filter_value where filter = 'host')) = (select included from temp.active_filter where filter = 'host')

-- name: segment.earliest-session
-- When the first of the sessions began that were under way at a time; null if none was.
select min(started_at) as earliest
from main.session
where ended_at - started_at > 21600
  and ended_at >= @start
  and started_at < @start

-- name: segment.by-event
-- Removes those sessions since a time that have none of a filter's events (or, for a negated one, any of them).
delete from temp.selected_session
where started_at >= @since
  and (id in (
    select e.session_id
    from main.event e
    where e.id >= (select min(started_at) * 1048576 from temp.selected_session where started_at >= @since)
      and e.id < (select (max(ended_at) + 1) * 1048576 from temp.selected_session)
      and e.session_id is not null
      and (@any_page or (e.page_id in (select id from temp.filter_value where filter = @pages)) = @pages_included)
      and (@any_host or exists (
        select 1
        from main.page p
        where p.id = e.page_id
          and (p.host_id in (select id from temp.filter_value where filter = @hosts)) = @hosts_included
      ))
      and (@any_name or e.name_id in (select id from temp.filter_value where filter = @names))
      and (@properties = 0 or @properties = (
        select count(*)
        from main.event_property p
        join temp.filter_property f on f.filter = @filter and f.key_id = p.key_id and f.value_id = p.value_id
        where p.event_id = e.id
      ))
  )) <> @included
