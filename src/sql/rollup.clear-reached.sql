-- Clears the rows affected by an update.
delete from temp.changed_view;
delete from temp.part_session;
delete from temp.part_visitor;
