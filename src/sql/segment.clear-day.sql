-- Clears the previous day, except for the sessions that continue.
delete from temp.day_view;
delete from temp.day_event;
delete from temp.visit;
