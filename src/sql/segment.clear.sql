-- Clears the previous segment.
delete from temp.active_filter;
delete from temp.filter_value;
delete from temp.filter_client;
delete from temp.filter_place;
delete from temp.filter_origin;
delete from temp.filter_campaign;
delete from temp.selected_session;
