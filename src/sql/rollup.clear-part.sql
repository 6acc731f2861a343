-- Empties what a derivation reads.
delete from temp.day_session;
delete from temp.day_view;
delete from temp.day_event;
delete from temp.visit;
delete from temp.visit_client;
delete from temp.visit_place;
delete from temp.visit_origin;
delete from temp.visit_campaign;
delete from temp.visit_screen;
delete from temp.visit_language;
delete from temp.visit_timezone;
