-- Empties what an update concerns.
delete from temp.changed_view;
delete from temp.part_session;
delete from temp.part_visitor;
