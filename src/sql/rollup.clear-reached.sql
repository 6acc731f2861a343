-- Empties the sessions and visitors that an update concerns.
delete from temp.part_session;
delete from temp.part_visitor;
