-- Clears the previous segment.
delete from temp.active_filter;
delete from temp.filter_value;
delete from temp.filter_property;
delete from temp.filter_time;
delete from temp.host_page;
delete from temp.property_session;
delete from temp.selected_session;
delete from temp.path_node;
