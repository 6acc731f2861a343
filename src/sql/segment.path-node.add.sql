insert into temp.path_node (step, kind, id, sessions, ends)
values (@step, @kind, @id, @sessions, @ends)
