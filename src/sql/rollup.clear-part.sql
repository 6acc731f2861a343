-- Clears the input of a derivation.
delete from temp.day_session;
delete from temp.day_view;
delete from temp.day_event;
delete from temp.visit;
