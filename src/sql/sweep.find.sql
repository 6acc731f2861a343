-- Labels that nothing names. The known keys and values of events do not count: they go with their labels.
insert into temp.unused_label (id)
select id from label
except select title_id from view where title_id is not null
except select title_id from page where title_id is not null
except select title_id from title_day
except select title_id from cms_page where title_id is not null
except select screen_id from session where screen_id is not null
except select language_id from session where language_id is not null
except select timezone_id from session where timezone_id is not null
except select name_id from event
except select name_id from event_name
except select name_id from event_rollup
except select name_id from event_page_rollup
except select name_id from event_property_rollup
except select key_id from event_property_rollup
except select value_id from event_property_rollup
except select key_id from event_property
except select value_id from event_property
except select key from revenue_period where kind in ('channel', 'coupon')
