-- Empties what a derivation gives.
delete from temp.new_site_day;
delete from temp.new_hour_day;
delete from temp.new_page_rollup;
delete from temp.new_title_day;
delete from temp.new_source_rollup;
delete from temp.new_dimension_rollup;
delete from temp.new_utm_rollup;
delete from temp.new_event_rollup;
delete from temp.new_event_property_rollup;
delete from temp.new_event_page_rollup;
delete from temp.new_funnel_day;
