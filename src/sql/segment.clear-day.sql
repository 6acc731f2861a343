-- Lets go of the day before, but for the sessions that go on.
delete from temp.day_view;
delete from temp.day_event;
delete from temp.visit;
