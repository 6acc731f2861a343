-- name: label.named.script
-- The labels that rows name; all others can be deleted. The keys and values that events have had (event_key, event_value)
-- do not count: they go with their labels.
create temp view if not exists named_label as
select title_id as id from main.view where title_id is not null
union all
select title_id from main.page where title_id is not null
union all
select title_id from main.title_day
union all
select title_id from main.cms_page where title_id is not null
union all
select screen_id from main.session where screen_id is not null
union all
select language_id from main.session where language_id is not null
union all
select name_id from main.event
union all
select name_id from main.event_name
union all
select name_id from main.event_rollup
union all
select name_id from main.event_page_rollup
union all
select name_id from main.event_property_rollup
union all
select key_id from main.event_property_rollup
union all
select value_id from main.event_property_rollup
union all
select key_id from main.event_property
union all
select value_id from main.event_property
union all
select key from main.revenue_period where kind in ('channel', 'coupon');
