-- Empties what is known of the day under way.
delete from temp.known_session;
delete from temp.known_view;
delete from temp.known_event;
delete from temp.link;
