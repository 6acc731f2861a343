-- Clears the baseline of the current day.
delete from temp.known_session;
delete from temp.known_view;
delete from temp.known_event;
delete from temp.link;
